import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Expression } from "../../language/grammar/expression.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** Names that other languages give to the item of the outer loop. */
const PARENT = /^\$?(?:parent|outer|parentloop)$/i;

/**
 * Returns the hint for the position of `name`, which is not the item of a loop: the name of a list, as in
 * `wards.$number`, or a word for the outer loop, as in `$parent.$number`. Null for other names. `items`: the names of
 * the items of the loops around the tag. `loops`: tags of loops before it, and others.
 */
export function positionMeant(
  tag: TagNode,
  name: string,
  items: readonly (string | null)[],
  loops: readonly TagNode[],
): Wording | null {
  const written = tag.text.split(`${name}.$`)[1] ?? "";
  const variable = `$${/^[a-z]+/.exec(written)?.[0] ?? "number"}`;
  const outer = items.at(-2);
  if (PARENT.test(name) && typeof outer === "string" && outer !== "")
    return `For the loop around the innermost one write ${outer}.${variable}.`;
  for (const { directive } of loops.toReversed()) {
    if ("collection" in directive && isPath(directive.collection, name)) {
      const { alias } = directive;
      if (alias !== "" && items.includes(alias))
        return `Write the name of the item: ${alias}.${variable}.`;
    }
    if (directive.kind === "section" && isPath(directive.condition, name) && items.includes(null)) {
      const item = name.charAt(0);
      return withTags`A section gives its items no name. Write {{for ${item} in ${name}}} … {{endfor}} in place of {{#${name}}}, with ${item}.${variable}.`;
    }
  }
  return null;
}

function isPath(expression: Expression, name: string): boolean {
  return expression.kind === "path" && expression.source === name;
}
