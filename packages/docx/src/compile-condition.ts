import { checkOptions, type Diagnostic, QuireError, unreadable } from "@quire/contracts";
import type { RenderOptions } from "./compile-options.ts";
import { type PlaceUses, placeUsesOf } from "./inspect/place-use.ts";
import { DELIMITERS } from "./language/delimiters/delimiters.ts";
import { spell } from "./language/delimiters/wording.ts";
import { parseDirective } from "./language/directive.ts";
import type { Expression } from "./language/grammar/expression.ts";
import { TagSyntaxError } from "./language/tokens.ts";
import type { TagOrigin } from "./program/tag-ops.ts";
import { isTruthy } from "./render/evaluate/compare/compare.ts";
import { Conditions } from "./render/evaluate/conditions.ts";
import { Diagnostics } from "./render/evaluate/context/document-diagnostics.ts";
import { renderData } from "./render/evaluate/context/scope.ts";
import { newEvaluation } from "./render/evaluate/functions/new-evaluation.ts";
import { Budget } from "./values/budget.ts";

/** A compiled condition, such as `region == "North" and total > 100`. It is immutable. */
export interface Condition {
  /** Returns how the condition uses the value at these keys, starting at the root of the data; null if it does not. */
  readonly useOf: PlaceUses;
  /**
   * Whether the condition is true for the data. `warnings` report possible mistakes, such as a comparison with a
   * missing value. Throws `invalid_data` if the condition cannot be computed, for example for text in an addition.
   */
  test(data: object, options?: Pick<RenderOptions, "timeZone" | "limits">): ConditionResult;
}

/** The result of {@link Condition.test}. */
export interface ConditionResult {
  /** Whether the condition is true for the data. */
  readonly isTrue: boolean;
  /** Possible mistakes in the condition or in the data. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Compiles a condition in the language of `{{if …}}`, without the word `if` and without delimiters. Throws
 * `invalid_template` if its syntax is wrong.
 */
export function compileCondition(source: string): Condition {
  const condition = parse(source);
  const text = source.trim();
  const place = { part: "condition", paragraph: 1 };
  const origin: TagOrigin = { place, text, delimiters: DELIMITERS, near: text };
  const ops = [{ op: "choose" as const, branches: [{ origin, condition, body: [] }] }];
  return {
    useOf: placeUsesOf({ programs: [{ part: "condition", ops }], notes: [] }),
    test(data, options = {}) {
      checkOptions("test()", options, { timeZone: true, limits: true });
      try {
        return test(condition, origin, { data, options });
      } catch (error) {
        throw unreadable(data, error);
      }
    },
  };
}

function parse(source: string): Expression {
  try {
    if (source.trim() === "") throw new TagSyntaxError("The condition is empty.");
    const directive = parseDirective(`if ${source}`, { bareNames: false });
    if (directive.kind === "if") return directive.condition;
    throw new TagSyntaxError("The condition cannot be read.");
  } catch (error) {
    if (!(error instanceof TagSyntaxError)) throw error;
    const { message, hint } = error;
    const template = { part: "condition", tag: source };
    const problem: Diagnostic = {
      severity: "error",
      code: "tag_syntax",
      message,
      ...(hint ? { hint: spell(hint, DELIMITERS) } : {}),
      template,
    };
    throw new QuireError("invalid_template", message, { diagnostics: [problem] });
  }
}

function test(
  condition: Expression,
  origin: TagOrigin,
  {
    data,
    options,
  }: { readonly data: object; readonly options: Pick<RenderOptions, "timeZone" | "limits"> },
): ConditionResult {
  const diagnostics = new Diagnostics("keep");
  const budget = new Budget(options.limits);
  const env = newEvaluation(renderData(data), budget.spend, {
    ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
  });
  const conditions = new Conditions(env, diagnostics);
  const value = diagnostics.guard(origin, () => conditions.valueOf(origin, condition));
  diagnostics.throwIfInvalid();
  return { isTrue: isTruthy(value), warnings: diagnostics.list };
}
