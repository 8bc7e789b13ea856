import type { Diagnostic } from "@quire/contracts";
import { withTags } from "../../../language/delimiters/wording.ts";
import { expressionsOf } from "../../../language/directive.ts";
import { allOf, type Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** More decimals than a percentage has: the argument of `percent(19)` is probably the percentage. */
export const MANY_DECIMALS = 5;

/** Warns about `total :: percent(19)` and `total.percent(19)`, which print 19 decimals. */
export function manyDecimals(tag: TagNode): Diagnostic[] {
  const { directive } = tag;
  const shown = directive.kind === "value" ? directive : null;
  const modifier = shown?.modifiers.find(({ name }) => name === "percent");
  const [given] = modifier?.arguments ?? [];
  const calls = expressionsOf(directive).flatMap(allOf).flatMap(percentCall);
  const uses = given?.kind === "number" ? [{ of: shown?.expression, rate: given.value }] : [];
  return [...uses, ...calls].flatMap(({ of, rate }) => {
    if (of === undefined || Number(rate) < MANY_DECIMALS) return [];
    const part = spellExpression({
      kind: "compute",
      operator: "*",
      left: of,
      right: { kind: "number", text: String(Number((Number(rate) / 100).toFixed(6))) },
    });
    const problem = tagProblem(
      tag,
      "doubtful_sign",
      `The tag ${tag.text} prints a percentage with ${rate} decimals: the argument of 'percent' is their number.`,
      withTags`For ${rate}% of the value write {{${part} :: number(2)}}.`,
    );
    return [{ ...problem, severity: "warning" as const }];
  });
}

function percentCall(expression: Expression): { of: Expression | undefined; rate: string }[] {
  if (expression.kind !== "call" || expression.name !== "$percent") return [];
  const [of, rate] = expression.arguments;
  return rate?.kind === "number" ? [{ of, rate: rate.text }] : [];
}
