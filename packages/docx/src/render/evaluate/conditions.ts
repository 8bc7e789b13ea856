import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type Expression,
  operandsOf,
  type PathExpression,
  pathsOf,
} from "../../language/grammar/expression.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";
import { hyphenatedKey } from "./computation-hints.ts";
import { type ComparedPath, pathsOfCondition, testMeant } from "./condition-paths.ts";
import type { Diagnostics } from "./context/document-diagnostics.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { pointerOf } from "./context/pointers.ts";
import { hasOwn, isThere, otherItemsHave, resolve } from "./context/scope.ts";
import { noteOtherCase } from "./doubts/other-letters.ts";
import { noteTruth, reportDoubts } from "./doubts.ts";
import { evaluate, holds } from "./evaluate.ts";
import { noteLengths } from "./hints/length-meant.ts";
import { hintForPart, partMissing } from "./hints/made-lists.ts";
import { hintForFlag } from "./hints/unknown-flags.ts";
import { callInPath, hintForFunctionName } from "./misplaced-names.ts";
import { isUnneeded, missingOperands } from "./missing-operands.ts";
import { testedOutsideLoop } from "./outside-loops.ts";
import { slipIn } from "./slips.ts";
import { hintForMissing } from "./suggestions.ts";
import { hintForUncompared, hyphenatedText } from "./unquoted-texts.ts";

/** Number of iterations in which a condition is checked for misspelled names. */
const MAX_LOOKS = 200;

/** Evaluates conditions, and reports possible mistakes in them. */
export class Conditions {
  readonly #env: Evaluation;
  readonly #diagnostics: Diagnostics;
  #looks: Map<Expression, number> | null = null;
  /** The missing paths that were already reported in the conditions of the current block. */
  readonly #absentInBlock = new Set<string>();

  constructor(env: Evaluation, diagnostics: Diagnostics) {
    this.#env = env;
    this.#diagnostics = diagnostics;
  }

  /**
   * Evaluates a condition. A comparison with a missing value may be a mistake, so it is reported once for all branches
   * of a block. `branch` counts the branches from 0.
   */
  valueOf(origin: TagOrigin, condition: Expression, branch = 0): unknown {
    const env = this.#env;
    if (branch === 0 && this.#absentInBlock.size > 0) this.#absentInBlock.clear();
    env.absent = false;
    env.doubts.length = 0;
    const value = evaluate(condition, env);
    noteTruth(condition, value, env);
    noteLengths(pathsOfCondition(condition).others, env);
    if (value === false && condition.kind === "call") {
      noteOtherCase(condition, 1, (of) => evaluate(of, env), env);
    }
    reportDoubts(env, origin, this.#diagnostics);
    // Paths that were not evaluated may also be missing.
    if (env.absent || pathsOfCondition(condition).branches) this.#reportAbsent(origin, condition);
    return value;
  }

  #reportAbsent(origin: TagOrigin, condition: Expression): void {
    const env = this.#env;
    const { absent } = env;
    const { compared, others, computed } = pathsOfCondition(condition);
    for (const each of compared) this.#reportCompared(origin, condition, each);
    if (!absent || this.#isLookedAt(condition)) return;
    for (const path of others) {
      if (resolve(path, env) !== undefined) continue;
      this.#reportUnknown(origin, condition, path);
      const meant = slipIn(path, env) ?? callInPath(path, env) ?? testMeant(path, env);
      if (meant !== null) this.#absent(origin, path, "uses", () => `Did you mean '${meant}'?`);
    }
    for (const expression of computed) {
      const [path] = pathsOf(expression);
      const meant = hyphenatedKey(expression, env);
      if (path === undefined || meant === null || resolve(path, env) !== undefined) continue;
      const hint = withTags`Write a key with a hyphen in brackets and quotes: {{${meant}}}.`;
      this.#absent(origin, path, "uses", () => hint);
    }
    for (const expression of computed) this.#reportText(origin, expression);
    for (const { path, env: at, why, hint } of missingOperands(condition, env, BY))
      this.#absent(origin, path, "uses", hint, { why, pointer: pointerOf(path, at) });
  }

  /** Reports a missing value that a condition compares. */
  #reportCompared(origin: TagOrigin, condition: Expression, each: ComparedPath): void {
    const env = this.#env;
    const { path } = each;
    if (resolve(path, env) !== undefined) return;
    if (isUnneeded(path, condition, env, BY)) return;
    const part = partMissing(path, env);
    if (part !== null) {
      const { source } = part.path;
      this.#absent(origin, path, "compares", () => hintForPart(source), {
        why: `which has no value because '${source}' has none`,
        pointer: pointerOf(part.path, part.env),
      });
      return;
    }
    const ofEmpty = (): Wording | null =>
      hintForComparison(condition, (one) => emptyMeant(one, path));
    const hint = (): Wording | null =>
      hintForComparison(condition, (one) => lastMeant(one, path) ?? blankMeant(one, path)) ??
      (isNull(path, env) ? ofEmpty() : null) ??
      hintForCompared(each, env) ??
      ofEmpty() ??
      lackedByItem(path, env);
    this.#absent(origin, path, "compares", hint);
  }

  /** Reports the item of another loop, and a name such as `odd` that means a comparison. */
  #reportUnknown(origin: TagOrigin, condition: Expression, path: PathExpression): void {
    const env = this.#env;
    const hint =
      testedOutsideLoop(path, env) ??
      hintForFlag(path, origin.text, env) ??
      hintForUncompared(condition, path, env);
    if (hint !== null) this.#absent(origin, path, "uses", () => hint);
  }

  /** Reports `status == in-progress`, a text without quotes. */
  #reportText(origin: TagOrigin, expression: Expression): void {
    const found = hyphenatedText(expression, origin.text, this.#env);
    const [path] = pathsOf(expression);
    if (found === null || path === undefined) return;
    this.#absent(origin, path, "uses", () => `Put the text in quotes: "${found.text}".`);
    for (const name of found.names) this.#absentInBlock.add(name);
  }

  #absent(
    origin: TagOrigin,
    path: PathExpression,
    does: string,
    hint: () => Wording | null,
    { why, pointer } = { why: NOT_THERE, pointer: pointerOf(path, this.#env) },
  ): void {
    // The same path may occur on both sides of a comparison.
    if (this.#absentInBlock.has(path.source)) return;
    this.#absentInBlock.add(path.source);
    this.#diagnostics.warn(
      origin,
      "missing_in_condition",
      `The condition ${origin.text} ${does} '${path.source}', ${why}.`,
      pointer,
      hint,
    );
  }

  /**
   * Whether the condition has been checked for misspelled names often enough. Missing values alone are not a mistake.
   */
  #isLookedAt(condition: Expression): boolean {
    this.#looks ??= new Map();
    const looks = this.#looks.get(condition) ?? 0;
    this.#looks.set(condition, looks + 1);
    return looks >= MAX_LOOKS;
  }
}

const BY = { evaluate, holds };

const NOT_THERE = "which the data does not have";

/** Whether the data has the key of a path, with null. */
function isNull({ head, rest }: PathExpression, env: Evaluation): boolean {
  const key = rest.at(-1);
  if (key === undefined) return head !== null && isThere(head, env);
  return hasOwn(resolve({ kind: "path", source: "", head, rest: rest.slice(0, -1) }, env), key);
}

/** Returns the hint for a key that other items of the loop have; null for other paths. */
function lackedByItem(path: PathExpression, env: Evaluation): string | null {
  return otherItemsHave(path, env.scope)
    ? `Only some of the items have it. Write what counts in its place, as in (${path.source} ?? ""), or ask for it first: ${path.source} isPresent.`
    : null;
}

type Comparison = Extract<Expression, { kind: "compare" }>;

/** Returns the first hint for a comparison within a condition, or null. */
function hintForComparison(
  condition: Expression,
  hint: (comparison: Comparison) => Wording | null,
): Wording | null {
  if (condition.kind === "compare") return hint(condition);
  return operandsOf(condition).reduce<Wording | null>(
    (found, operand) => found ?? hintForComparison(operand, hint),
    null,
  );
}

/** Returns a hint for a comparison of a missing value with empty text; null for others. */
function emptyMeant({ left, right, operator }: Comparison, path: PathExpression): string | null {
  const isOfText = left === path && right.kind === "literal" && right.value === "";
  if (!isOfText || (operator !== "==" && operator !== "!=")) return null;
  return `A missing value is not empty text: write ${operator === "!=" ? "not " : ""}${path.source} isEmpty for both.`;
}

/** Returns a hint for `status == blank`, `!= empty` and `== isPresent`; null for others. */
function blankMeant({ left, right, operator }: Comparison, path: PathExpression): string | null {
  if (!/^(?:blank|empty|isEmpty|isPresent)$/.test(path.source)) return null;
  if (left.kind !== "path" || right !== path || !/^[!=]=$/.test(operator)) return null;
  const not = operator === "!=" ? "not " : "";
  if (path.source.startsWith("is"))
    return `Leave out '${operator}': write ${not}${left.source} ${path.source}.`;
  return `Write ${not}${left.source} isEmpty. For the text put it in quotes: "${path.source}".`;
}

/** Returns a hint for a position that is compared with the name `last` or `first`; null for others. */
function lastMeant({ left, right, operator }: Comparison, path: PathExpression): Wording | null {
  const isEnd = /^(?:last|first)$/i.test(path.source);
  if (right !== path || left.kind !== "variable" || !isEnd) return null;
  if (left.name !== "$index" && left.name !== "$number") return null;
  const name = `${left.of === null ? "" : `${left.of}.`}$${path.source.toLowerCase()}`;
  return withTags`Write {{if ${operator === "!=" ? "not " : ""}${name}}}.`;
}

/** Returns a suggestion for an author who compares with a missing value. */
function hintForCompared(
  { path, quotable, ordered }: ComparedPath,
  env: Evaluation,
): string | null {
  if (isNull(path, env)) {
    return `'${path.source}' is null in the data: test it first, as in ${path.source} isPresent.`;
  }
  const near = hintForMissing(path, env, false);
  if (ordered)
    return (
      near ?? `Add it to the data, or write what counts in its place, as in (${path.source} ?? 0).`
    );
  if (!quotable || (near !== null && near === hintForFunctionName(path))) return near;
  const constant = path.source.toLowerCase();
  if (["true", "false", "null"].includes(constant)) return `Did you mean '${constant}'?`;
  if (/^(?:undefined|none|nil|nothing)$/.test(constant)) {
    return "To test whether there is a value, write 'isPresent' after it, as in phone isPresent.";
  }
  if (/^(?:yes|no|on|off|ja|nein|oui|non|wahr|falsch)$/.test(constant))
    return `A value that is true or false needs no comparison: write it alone, or with 'not' before it. For text put it in quotes: "${path.source}".`;
  const quotes = `Put the text in quotes: "${path.source}".`;
  return near === null ? quotes : `${near} ${quotes}`;
}
