import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../../language/delimiters/wording.ts";
import { expressionsOf } from "../../../language/directive.ts";
import { allOf, type Expression } from "../../../language/grammar/expression.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** An open block; the name of its items and the path of its list if it is a loop. */
interface OpenBlock {
  readonly alias: string | null;
  readonly list: string | null;
}

/**
 * Warns about positions that are certainly not meant because of the loop around them: `{{$number}}.{{$number}}` in a loop
 * within a loop, and `$index < items.count()` in a loop over `items`. The blocks of the part must be valid. `tags`: all
 * tags of the part, in document order.
 */
export function nestedPositions(tags: readonly TagNode[]): Diagnostic[] {
  const open: OpenBlock[] = [];
  return tags.flatMap((tag, at) => {
    const { directive } = tag;
    if (directive.kind.startsWith("end")) open.pop();
    const loops = open.filter(({ list }) => list !== null);
    const found = [
      numberTwice(tag, tags[at + 1], loops.at(-2)?.alias ?? null),
      alwaysBelow(tag, loops.at(-1)),
    ].filter((each) => each !== null);
    if (BEGINS.test(directive.kind)) {
      const isLoop = "alias" in directive;
      const list = isLoop && directive.shape === null ? directive.collection.source : "";
      open.push({ alias: isLoop ? directive.alias : null, list: isLoop ? list : null });
    }
    return found;
  });
}

const BEGINS = /^(?:for|tablerow|tablecolumn|if|section)$/;

/** `{{$number}}.{{$number}}`. `outer`: the name of the items of the loop around the innermost one; null without one. */
function numberTwice(
  tag: TagNode,
  next: TagNode | undefined,
  outer: string | null,
): Diagnostic | null {
  const name = positionIn(tag);
  if (outer === null || name === null || next === undefined || positionIn(next) !== name)
    return null;
  if (!/^[.-]$/.test(between(tag, next))) return null;
  const message = `${tag.text} and ${next.text} are both the number of the inner loop.`;
  const hint = withTags`For the number of the outer loop write {{${outer}.${name}}}.`;
  return { ...tagProblem(tag, "doubtful_order", message, hint), severity: "warning" };
}

/** Returns the text between two tags of a paragraph, as far as it is short. */
function between({ near, text, place }: TagNode, next: TagNode): string {
  if (place.paragraph !== next.place.paragraph || place.part !== next.place.part) return "";
  const from = near.indexOf(text) + text.length;
  const rest = near.slice(from);
  return rest.slice(0, Math.max(rest.indexOf(next.text), 0));
}

function positionIn({ directive }: TagNode): string | null {
  if (directive.kind !== "value" || directive.expression.kind !== "variable") return null;
  const { name, of } = directive.expression;
  return of === null && /^\$(?:index|number)$/.test(name) ? name : null;
}

/** `{{if $index < items.count()}}` in a loop over `items`. */
function alwaysBelow(tag: TagNode, loop: OpenBlock | undefined): Diagnostic | null {
  const list = loop?.list ?? "";
  if (list === "") return null;
  const found = expressionsOf(tag.directive)
    .flatMap(allOf)
    .some((each) => {
      if (each.kind !== "compare") return false;
      const { operator, left, right } = each;
      return (
        (operator === "<" && isIndex(left) && isCountOf(right, list)) ||
        (operator === ">" && isIndex(right) && isCountOf(left, list))
      );
    });
  if (!found) return null;
  const message = `In the tag ${tag.text}, $index counts from 0 and is always less than the number of items.`;
  const hint = withTags`Write {{if not $last}} for all items but the last.`;
  return { ...tagProblem(tag, "doubtful_order", message, hint), severity: "warning" };
}

function isIndex(expression: Expression): boolean {
  return expression.kind === "variable" && expression.name === "$index" && expression.of === null;
}

function isCountOf(expression: Expression, list: string): boolean {
  if (expression.kind !== "call" || expression.name !== "$count") return false;
  const [of, condition] = expression.arguments;
  return of?.kind === "path" && of.source === list && condition === undefined;
}
