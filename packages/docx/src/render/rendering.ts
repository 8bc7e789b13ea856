import { type Expression, type PathExpression, pathsOf } from "../language/expression.ts";
import { type Wording, withTags } from "../language/wording.ts";
import type { TagOrigin } from "../program/ops.ts";
import type { Budget } from "../values/budget.ts";
import type { PreparedImages } from "../values/image/prepare-images.ts";
import { pathsOfCondition } from "./evaluate/condition-paths.ts";
import type { Diagnostics } from "./evaluate/document-diagnostics.ts";
import { noteTruth, reportDoubts } from "./evaluate/doubts.ts";
import { evaluate, lookUp } from "./evaluate/evaluate.ts";
import { type Evaluation, newEvaluation } from "./evaluate/evaluation.ts";
import { pointerOf } from "./evaluate/pointers.ts";
import type { PrintContext, PrintOptions } from "./evaluate/print-tag.ts";
import { type RenderData, resolve, type Scope } from "./evaluate/scope.ts";
import { hintForMissing, hyphenatedKey, slipIn } from "./evaluate/suggestions.ts";
import type { Output } from "./output.ts";
import { PictureReader } from "./picture-reader.ts";
import type { LatePlaces } from "./references/late-places.ts";
import type { LostReferences } from "./references/lost-references.ts";

/** Number of iterations in which a condition is checked for misspelled names. */
const MAX_LOOKS = 200;

/** Everything that the rendering of one document shares: its data, its options, its diagnostics and its additions. */
export class Rendering implements PrintContext {
  readonly env: Evaluation & { scope: Scope | null };
  readonly diagnostics: Diagnostics;
  readonly options: PrintOptions;
  readonly pictures: PictureReader;
  readonly budget: Budget;
  readonly output: Output;
  readonly places: LatePlaces;
  readonly references: LostReferences;
  #looks: Map<Expression, number> | null = null;
  #detected: Set<TagOrigin> | null = null;
  /** The missing paths that were already reported in the conditions of the current block. */
  readonly #absentInBlock = new Set<string>();

  constructor(given: {
    readonly data: RenderData;
    readonly diagnostics: Diagnostics;
    readonly options: PrintOptions;
    readonly images: PreparedImages | null;
    readonly budget: Budget;
    readonly output: Output;
    readonly places: LatePlaces;
    readonly references: LostReferences;
  }) {
    const { data, budget } = given;
    this.diagnostics = given.diagnostics;
    this.options = given.options;
    this.pictures = new PictureReader(given.images, budget.spend);
    this.budget = budget;
    this.output = given.output;
    this.places = given.places;
    this.references = given.references;
    this.env = newEvaluation(data, budget.spend, given.options.timeZone);
  }

  /**
   * The value of a condition. A comparison with a missing value may be a mistake, so it is reported, once for all
   * branches of a block. `branch` counts the branches from 0.
   */
  condition(origin: TagOrigin, condition: Expression, branch = 0): unknown {
    const { env } = this;
    if (branch === 0 && this.#absentInBlock.size > 0) this.#absentInBlock.clear();
    env.absent = false;
    env.doubts.length = 0;
    const value = evaluate(condition, env);
    noteTruth(condition, value, env);
    reportDoubts(env, origin, this.diagnostics);
    // Paths that were not evaluated may also be missing.
    if (env.absent || pathsOfCondition(condition).branches) this.#reportAbsent(origin, condition);
    return value;
  }

  /** Reports, once for each tag, that it printed detected HTML as rich text. */
  reportDetected(origin: TagOrigin, path: PathExpression | null): void {
    this.#detected ??= new Set();
    if (this.#detected.has(origin)) return;
    this.#detected.add(origin);
    this.diagnostics.warn(
      origin,
      "detected_html",
      `The value for the tag ${origin.text} is HTML and was printed as rich text, although the tag does not ask for it.`,
      path === null ? undefined : pointerOf(path, this.env),
      () =>
        'Add :: html to the tag if that is intended, or :: text to print the value as it was typed. With rich_text "tagged", only tags with html or markdown print rich text.',
    );
  }

  /** The value at the path of a section, which is also tested for truth. */
  sectionAt(origin: TagOrigin, path: PathExpression): unknown {
    const { env } = this;
    const value = this.valueAt(origin, path);
    noteTruth(path, value, env);
    reportDoubts(env, origin, this.diagnostics);
    return value;
  }

  /** The value of a block's path. `env`: where to look it up. */
  valueAt(origin: TagOrigin, path: PathExpression, env: Evaluation = this.env): unknown {
    env.doubts.length = 0;
    const value = lookUp(path, env);
    reportDoubts(env, origin, this.diagnostics);
    return value;
  }

  #reportAbsent(origin: TagOrigin, condition: Expression): void {
    const { env } = this;
    const { absent } = env;
    const { compared, others, computed } = pathsOfCondition(condition);
    for (const { path, quotable } of compared) {
      if (resolve(path, env) !== undefined) continue;
      this.#absent(origin, path, "compares", () => hintForCompared(path, quotable, env));
    }
    if (!absent || this.#isLookedAt(condition)) return;
    for (const path of others) {
      if (resolve(path, env) !== undefined) continue;
      const meant = slipIn(path, env);
      if (meant !== null) this.#absent(origin, path, "uses", () => `Did you mean '${meant}'?`);
    }
    for (const expression of computed) {
      const [path] = pathsOf(expression);
      const meant = hyphenatedKey(expression, env);
      if (path === undefined || meant === null || resolve(path, env) !== undefined) continue;
      const hint = withTags`Write a key with a hyphen in brackets and quotes: {{${meant}}}.`;
      this.#absent(origin, path, "uses", () => hint);
    }
  }

  #absent(origin: TagOrigin, path: PathExpression, does: string, hint: () => Wording | null): void {
    // The same path may occur on both sides of a comparison.
    if (this.#absentInBlock.has(path.source)) return;
    this.#absentInBlock.add(path.source);
    this.diagnostics.warn(
      origin,
      "missing_in_condition",
      `The condition ${origin.text} ${does} '${path.source}', which the data does not have.`,
      pointerOf(path, this.env),
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

/** A suggestion for an author who compares with a missing value. */
function hintForCompared(path: PathExpression, quotable: boolean, env: Evaluation): string | null {
  const near = hintForMissing(path, env);
  if (!quotable) return near;
  const constant = path.source.toLowerCase();
  if (["true", "false", "null"].includes(constant)) return `Did you mean '${constant}'?`;
  const quotes = `Put the text in quotes: "${path.source}".`;
  return near === null ? quotes : `${near} ${quotes}`;
}
