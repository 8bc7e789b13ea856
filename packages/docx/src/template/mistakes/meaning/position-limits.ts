import type { Diagnostic } from "@quire/contracts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { expressionsOf } from "../../../language/directive.ts";
import { allOf, type Comparison, type Expression } from "../../../language/grammar/expression.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

type Compare = Extract<Expression, { readonly kind: "compare" }>;
type Variable = Extract<Expression, { readonly kind: "variable" }>;

/** The fault of a comparison: the code, the message and the hint. */
type Problem = readonly [code: string, message: string, hint: Wording];

/**
 * Warns about comparisons of a position in a loop whose result is the same for each item: `$index < $length`,
 * `$index != "last"` and `$index != $last`.
 */
export function positionLimits(tag: TagNode): Diagnostic[] {
  return expressionsOf(tag.directive)
    .flatMap(allOf)
    .flatMap((each) => {
      const problem = each.kind === "compare" ? problemOf(each) : null;
      if (problem === null) return [];
      const [code, message, hint] = problem;
      return [{ ...tagProblem(tag, code, message, hint), severity: "warning" as const }];
    });
}

function problemOf({ operator, left, right }: Compare): Problem | null {
  if (operator === "contains") return null;
  const isTurned = left.kind !== "variable" || !POSITION.test(left.name);
  const [position, limit] = isTurned ? [right, left] : [left, right];
  if (position.kind !== "variable" || !POSITION.test(position.name)) return null;
  // The warning about `$index == $length` is with those about computations.
  if (operator === "==" && !isTurned && limit.kind === "variable" && limit.name === "$length") {
    return null;
  }
  if (limit.kind === "variable" && limit.of === position.of) {
    return (
      belowLength(position, isTurned ? TURNED[operator] : operator, limit) ??
      otherKind(position, operator, /^\$(first|last)$/.exec(limit.name)?.[1], limit.name)
    );
  }
  const text = limit.kind === "literal" && typeof limit.value === "string" ? limit.value : null;
  return text === null || /\d/.test(text) ? null : otherKind(position, operator, text);
}

const POSITION = /^\$(?:index|number)$/;

const TURNED: Readonly<Record<Exclude<Comparison, "contains">, Comparison>> = {
  ...({ "==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=" } as const),
};

function belowLength(
  { name, of }: Variable,
  operator: Comparison,
  limit: Variable,
): Problem | null {
  if (name !== "$index" || limit.name !== "$length") return null;
  const before = of === null ? "" : `${of}.`;
  const isLast = operator === "==" || operator === ">=" || operator === ">";
  const sign = isLast ? "==" : "<";
  const test = `${isLast ? "" : "not "}${before}$last`;
  return [
    "doubtful_order",
    "$index counts from 0 and is always less than $length.",
    withTags`Write ${before}$number ${sign} ${before}$length, or {{if ${test}}}.`,
  ];
}

/** Warns about a position that is compared with something other than a number. `word`: the word that it is compared with. */
function otherKind(
  { name, of }: Variable,
  operator: Comparison,
  word: string | undefined,
  shown = word === undefined ? "" : `'${word}'`,
): Problem | null {
  if (word === undefined || (operator !== "==" && operator !== "!=")) return null;
  const [end] = /^(?:first|last)$/.exec(word.trim().toLowerCase()) ?? [];
  const test = `${operator === "!=" ? "not " : ""}${of === null ? "" : `${of}.`}$${end ?? "last"}`;
  return [
    "doubtful_comparison",
    `${name} is a number: it never equals ${end === undefined ? "text" : shown}.`,
    end === undefined
      ? withTags`Compare it with a number, or write {{if ${test}}} for the last item.`
      : withTags`Write {{if ${test}}}.`,
  ];
}
