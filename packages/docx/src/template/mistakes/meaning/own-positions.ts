import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { type Expression, operandsOf } from "../../../language/grammar/expression.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** A loop around a tag. */
export interface LoopAround {
  readonly alias: string;
  readonly isColumn: boolean;
  readonly isRow: boolean;
}

type Element = Extract<Expression, { readonly kind: "element" }>;

/**
 * Warns about `{{r.v[$index]}}` in `{{tablerow r in rows}}`, which takes the first value of the first row, the second
 * one of the second row and so on, and about `{{rows[$index].v[$index]}}`. `around`: the loops around the tag, the
 * innermost one last; null for a section, whose item may have a position.
 */
export function ownPositions(
  tag: TagNode,
  expression: Expression,
  around: readonly (LoopAround | null)[],
): Diagnostic[] {
  const found = operandsOf(expression).flatMap((each) => ownPositions(tag, each, around));
  const problem = expression.kind === "element" ? problemOf(tag, expression, around) : null;
  return problem === null ? found : [...found, { ...problem, severity: "warning" }];
}

function problemOf(
  tag: TagNode,
  { of, key }: Element,
  around: readonly (LoopAround | null)[],
): Diagnostic | null {
  if (key.kind !== "variable" || key.name !== "$index") return null;
  const loop = around.findLast((each) => key.of === null || each?.alias === key.of) ?? null;
  if (loop === null) return null;
  const { alias } = loop;
  if (of.kind === "path") {
    if (of.head !== alias) return null;
    return problem(tag, `$index is the position of ${alias} here.`, hintFor(of.source, loop));
  }
  if (of.kind !== "member" || of.of.kind !== "element" || !isSame(of.of.key, key)) return null;
  const row = around.findLast((each) => each?.isRow === true)?.alias;
  const [item, other] = loop.isColumn && row !== undefined ? [row, alias] : [alias, null];
  const list = [item, ...of.keys].join(".");
  return problem(
    tag,
    `$index is the position of ${alias} in both brackets.`,
    other === null ? hintFor(list, loop) : `Write ${list}[${other}.$index].`,
  );
}

function isSame(key: Expression, other: Extract<Expression, { kind: "variable" }>): boolean {
  return key.kind === "variable" && key.name === other.name && key.of === other.of;
}

function hintFor(list: string, { isRow }: LoopAround): Wording {
  return isRow
    ? withTags`Repeat the column, {{tablecolumn m in months}}, and write ${list}[m.$index], or name the position: ${list}[0].`
    : withTags`For each value of the list write {{for each in ${list}}}{{each}}{{endfor}}, or name the position: ${list}[0].`;
}

function problem(tag: TagNode, message: string, hint: Wording): Diagnostic {
  return tagProblem(tag, "list_in_loop", `In the tag ${tag.text}, ${message}`, hint);
}
