import type { Expression, PathExpression } from "../language/grammar/expression.ts";
import type { TagOrigin } from "../program/tag-ops.ts";
import type { Budget } from "../values/budget.ts";
import type { PreparedImages } from "../values/image/prepare-images.ts";
import { hasEscapedElements } from "../values/rich/read/entities.ts";
import { Conditions } from "./evaluate/conditions.ts";
import type { Diagnostics } from "./evaluate/context/document-diagnostics.ts";
import type { Evaluation } from "./evaluate/context/evaluation.ts";
import { pointerOf } from "./evaluate/context/pointers.ts";
import type { RenderData, Scope } from "./evaluate/context/scope.ts";
import { noteQuotedPaths } from "./evaluate/doubts/quoted-paths.ts";
import { noteTruth, reportDoubts } from "./evaluate/doubts.ts";
import { evaluate, lookUp } from "./evaluate/evaluate.ts";
import { newEvaluation } from "./evaluate/functions/new-evaluation.ts";
import type { PrintContext, PrintOptions } from "./evaluate/print-tag.ts";
import type { Output } from "./output.ts";
import { PictureReader } from "./picture-reader.ts";
import type { LatePlaces } from "./references/late-places.ts";
import type { LateReferences } from "./references/late-references.ts";

/** Everything that the rendering of one document shares: its data, its options, its diagnostics and its additions. */
export class Rendering implements PrintContext {
  readonly env: Evaluation & { scope: Scope | null };
  readonly diagnostics: Diagnostics;
  readonly options: PrintOptions;
  readonly pictures: PictureReader;
  readonly budget: Budget;
  readonly output: Output;
  readonly places: LatePlaces;
  readonly references: LateReferences;
  /** Checks that need the whole document. Called after all parts have been written. */
  readonly atEnd: (() => void)[] = [];
  readonly #conditions: Conditions;
  #detected: Set<TagOrigin> | null = null;
  /** The tags whose values had signs of HTML and were printed as they are. */
  #withEntities: Set<TagOrigin> | null = null;

  constructor(given: {
    readonly data: RenderData;
    readonly diagnostics: Diagnostics;
    readonly options: PrintOptions;
    readonly images: PreparedImages | null;
    readonly budget: Budget;
    readonly output: Output;
    readonly places: LatePlaces;
    readonly references: LateReferences;
    /** The first loop of the template for each name of an item. */
    readonly loops: ReadonlyMap<string, string>;
  }) {
    const { data, budget } = given;
    this.diagnostics = given.diagnostics;
    this.options = given.options;
    this.pictures = new PictureReader(given.images, budget.spend);
    this.budget = budget;
    this.output = given.output;
    this.places = given.places;
    this.references = given.references;
    this.env = newEvaluation(data, budget.spend, { ...given.options, loops: given.loops });
    this.#conditions = new Conditions(this.env, this.diagnostics);
  }

  /** Returns the value of a condition. `branch` counts the branches of a block from 0. */
  condition(origin: TagOrigin, condition: Expression, branch = 0): unknown {
    if (origin.quoted !== undefined) noteQuotedPaths(origin, this.env, this.diagnostics);
    const { innerLoop } = origin;
    if (innerLoop !== undefined) {
      this.env.opened ??= new Map();
      this.env.opened.set(innerLoop.alias, innerLoop.text);
    }
    return this.#conditions.valueOf(origin, condition, branch);
  }

  /** Reports, once for each tag, that it printed detected HTML as rich text. */
  reportDetected(origin: TagOrigin, path: PathExpression | null): void {
    this.#detected ??= new Set();
    this.#warnOnce(
      this.#detected,
      origin,
      path,
      `The value for the tag ${origin.text} is HTML and was printed as rich text, although the tag does not ask for it.`,
      () =>
        'Add :: html to the tag if that is intended, or :: text to print the value as it was typed. With rich_text "tagged", only tags with html or markdown print rich text.',
    );
  }

  /** Reports, once for each tag, that it printed a value with entities such as `&amp;` as it is. */
  reportEntities(origin: TagOrigin, path: PathExpression | null, value: string): void {
    this.#withEntities ??= new Set();
    this.#warnOnce(
      this.#withEntities,
      origin,
      path,
      `The value for the tag ${origin.text} has signs of HTML such as &amp; or &#39;, and was printed as it is.`,
      () =>
        hasEscapedElements(value)
          ? "The elements of the HTML are escaped twice: give the HTML itself in the data. If the signs are meant as they are, add :: text."
          : "To print the characters, add :: html to the tag, or correct the data. If the signs are meant as they are, add :: text.",
    );
  }

  /** Reports, once for each tag, that it printed a list whose elements are HTML as they are. */
  reportElements(origin: TagOrigin, path: PathExpression): void {
    this.#withEntities ??= new Set();
    this.#warnOnce(
      this.#withEntities,
      origin,
      path,
      `The list for the tag ${origin.text} has elements with signs of HTML, which were printed as they are.`,
      () =>
        "To print the elements as rich text, add :: html to the tag. If the signs are meant as they are, add :: text.",
    );
  }

  /** Warns about HTML in a tag, unless the tag is in the set already. */
  #warnOnce(
    warned: Set<TagOrigin>,
    origin: TagOrigin,
    path: PathExpression | null,
    message: string,
    hint: () => string,
  ): void {
    if (warned.has(origin)) return;
    warned.add(origin);
    const pointer = path === null ? undefined : pointerOf(path, this.env);
    this.diagnostics.warn(origin, "detected_html", message, pointer, hint);
  }

  /** Returns the value at the path of a section, which is also tested for truth. */
  sectionAt(origin: TagOrigin, path: PathExpression): unknown {
    const { env } = this;
    const value = this.valueAt(origin, path);
    noteTruth(path, value, env);
    reportDoubts(env, origin, this.diagnostics);
    return value;
  }

  /** Returns the value of a block's list. `env` says where its names are looked up. */
  valueOf(origin: TagOrigin, list: Expression, env: Evaluation): unknown {
    env.doubts.length = 0;
    env.missed.length = 0;
    if (origin.quoted !== undefined) noteQuotedPaths(origin, env, this.diagnostics);
    const value = evaluate(list, env);
    reportDoubts(env, origin, this.diagnostics);
    return value;
  }

  /** Returns the value of a block's path. `env` says where to look it up. */
  valueAt(origin: TagOrigin, path: PathExpression, env: Evaluation = this.env): unknown {
    env.doubts.length = 0;
    const value = lookUp(path, env);
    reportDoubts(env, origin, this.diagnostics);
    return value;
  }
}

/** Options for running the programs of one document. */
export interface Running {
  readonly rendering: Rendering;
  /** Whether elements may be nested deeper than in any template that was checked. */
  readonly isDeep: () => boolean;
}
