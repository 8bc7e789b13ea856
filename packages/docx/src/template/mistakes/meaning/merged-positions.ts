import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/**
 * Warns about `{{$number :: merge}}`, which merges nothing, because each row of a loop has another number. The blocks of
 * the part must be valid. `tags`: all tags of the part, in document order.
 */
export function mergedPositions(tags: readonly TagNode[]): Diagnostic[] {
  const open: TagNode[] = [];
  return tags.flatMap((tag) => {
    const { kind } = tag.directive;
    if (kind.startsWith("end")) open.pop();
    const found = warning(
      tag,
      open.filter(({ directive }) => directive.kind !== "if"),
    );
    if (BEGINS.test(kind)) open.push(tag);
    return found;
  });
}

const BEGINS = /^(?:for|tablerow|tablecolumn|if|section)$/;

/** `loops`: the tags of the loops around the tag, outermost first. */
function warning(tag: TagNode, loops: readonly TagNode[]): Diagnostic[] {
  const { directive, column, text } = tag;
  if (directive.kind !== "value" || directive.expression.kind !== "variable") return [];
  const { name, of } = directive.expression;
  const call = directive.modifiers.find((each) => each.name === "merge");
  const loop = loops.at(-1);
  // In a repeated column, the position may be the one of the column.
  if (call?.arguments.length !== 0 || column !== undefined || loop === undefined) return [];
  if (!/^\$(?:index|number)$/.test(name) || (of !== null && of !== aliasOf(loop))) return [];
  // A loop around the table has the same number in each of its rows.
  const outer = loops.slice(0, -1).findLast(({ place }) => place.table === loop.place.table);
  const spelled = spellExpression(directive.expression);
  const hint =
    outer === undefined ? forGroups(loop, text, spelled) : forOuter(outer, text, spelled, name);
  return [
    {
      ...tagProblem(
        tag,
        "modifier_without_effect",
        `The tag ${text} merges nothing, because each item of ${loop.text} has another number.`,
        hint,
      ),
      severity: "warning",
    },
  ];
}

function aliasOf({ directive }: TagNode): string | null {
  return "alias" in directive ? directive.alias : null;
}

/** Returns the hint for a tag in a loop within a loop. */
function forOuter(outer: TagNode, text: string, spelled: string, name: string): Wording {
  const alias = aliasOf(outer);
  return alias === null
    ? `Leave out 'merge', or compare a value that the merged rows have in common: merge(key).`
    : `For the number of the item of ${outer.text} write ${text.replace(spelled, () => `${alias}.${name}`)}.`;
}

/** Returns the hint for a tag in the outermost loop of its table. */
function forGroups(loop: TagNode, text: string, spelled: string): Wording {
  const { directive } = loop;
  if (!("alias" in directive)) return "Leave out 'merge'.";
  const { alias, collection, shape } = directive;
  const list = spellExpression(shape ?? collection);
  const group = alias === "g" ? "group" : "g";
  const number = text.replace(spelled, () => `${group}.$number`);
  return withTags`Leave out 'merge'. For one number for several rows, repeat groups of them: {{tablerow ${group} in ${list}.group(key)}}{{tablerow ${alias} in ${group}.items}}${number}.`;
}
