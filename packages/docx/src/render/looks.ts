import { MODIFIERS, type Signature } from "../language/grammar/modifier-signatures.ts";
import type { Look, SlotLook } from "../language/looks.ts";
import type { ModifierArgument, ModifierCall } from "../language/modifiers.ts";
import type { PointColorOp, SeriesColorOp } from "../program/chart-ops.ts";
import type { DecideOp, LookOp, LookTag, Shrinking, TagOrigin } from "../program/tag-ops.ts";
import { isImageValue } from "../values/image/read-image.ts";
import { argumentOf, hasModifier } from "../values/modifiers.ts";
import { lookColor } from "../values/rich/colors.ts";
import { pointColorXml, seriesColorXml } from "./charts/series-colors.ts";
import { isTruthy } from "./evaluate/compare/compare.ts";
import { placeOf, pointerOf } from "./evaluate/context/pointers.ts";
import { type Scope, turnNamed } from "./evaluate/context/scope.ts";
import { hintForMissingArgument, resolveArguments } from "./evaluate/data-arguments.ts";
import { reportDoubts } from "./evaluate/doubts.ts";
import { halfPoints, propertyXml } from "./looks/property-xml.ts";
import { columnCount } from "./loops.ts";
import type { Rendering } from "./rendering.ts";
import { shrunkXml } from "./shrinking.ts";
import type { GivenWidth } from "./tables/column-widths.ts";
import type { Span } from "./tables/covering-row.ts";

/** The modifier that sets each property. */
const MODIFIER: Readonly<Record<SlotLook, Look>> = {
  fill: "fill",
  color: "color",
  bold: "bold",
  boldComplex: "bold",
  italic: "italic",
  italicComplex: "italic",
  underline: "underline",
  strike: "strike",
  paragraphStyle: "style",
  textStyle: "style",
  shapeFill: "fill",
  vmlFill: "fill",
  vmlFillDetails: "fill",
  shrink: "shrink",
};

/** The looks of one part. */
export class Looks {
  readonly #rendering: Rendering;
  // Created at first use, because most documents have no such tags.
  /** The modifiers of each tag that changes a whole element, by its number; null if one has no value. */
  #decided: Map<number, readonly ModifierCall[] | null> | null = null;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** Returns the XML of an op. A decision writes nothing. */
  xml(op: LookOp | DecideOp | SeriesColorOp | PointColorOp): string {
    this.#rendering.env.spend(op.tags.length);
    if (op.op === "chartColor") return this.#chartColor(op);
    if (op.op === "look") return this.#property(op);
    for (const tag of op.tags) {
      if (tag.number === null) continue;
      this.#decided ??= new Map();
      this.#decided.set(tag.number, modifiersOf(tag, this.#rendering));
    }
    return "";
  }

  /** Returns the id of the paragraph style that the last tag sets which sets one; null if none does. */
  styleOf(tags: LookOp["tags"]): string | null {
    for (const tag of tags.toReversed()) {
      const modifiers = this.#modifiersOf(tag);
      if (modifiers === null || argumentOf(modifiers, "when") === "0") continue;
      const name = argumentOf(modifiers, "style") ?? "";
      const id = this.#rendering.output.facts.styleId(name, "paragraph");
      if (id !== null) return id;
    }
    return null;
  }

  /** Returns the property that the last tag sets which sets it; otherwise the one of the template. */
  #property({ look, tags, otherwise }: LookOp): string {
    let xml = otherwise;
    for (const tag of tags) {
      const modifiers = this.#modifiersOf(tag);
      if (modifiers === null || argumentOf(modifiers, "when") === "0") continue;
      const argument = argumentOf(modifiers, MODIFIER[look]);
      if (hasModifier(modifiers, MODIFIER[look])) {
        const { output, diagnostics } = this.#rendering;
        xml = propertyXml(look, argument, tag, { styles: output.facts, diagnostics }) ?? xml;
      }
    }
    return xml;
  }

  /** Returns the content of a box with text that fits. `scope`: the names around the box. */
  shrunk(xml: string, box: Shrinking, scope: Scope | null): string {
    this.#rendering.env.scope = scope;
    return shrunkXml(xml, box, this.#minimumOf(box), this.#rendering);
  }

  /**
   * Returns the smallest size of all text in a box, in half points, or 0 for the usual one, as the last tag says that
   * applies; null if none does.
   */
  #minimumOf({ tags }: Shrinking): number | null {
    this.#rendering.env.spend(tags.length);
    for (const tag of tags.toReversed()) {
      const modifiers = this.#modifiersOf(tag);
      if (modifiers === null || argumentOf(modifiers, "when") === "0") continue;
      return halfPoints(argumentOf(modifiers, "shrink"));
    }
    return null;
  }

  /** Returns a color of a series in a chart, or the look of one of its points, which is empty if no tag sets a color. */
  #chartColor(op: SeriesColorOp | PointColorOp): string {
    const fill = this.#fillOf(op.tags);
    const index = this.#rendering.env.scope?.index ?? 0;
    if (op.of === "point") return fill === null ? "" : pointColorXml(index, fill, op.outline);
    // The first series of a loop has the color of the template.
    const made = op.made === null || index === 0 ? null : columnCount(op.made, this.#rendering);
    return seriesColorXml(op, fill, made);
  }

  /** Returns the color, as RRGGBB, that the last tag sets which sets one; null if no tag does. */
  #fillOf(tags: LookOp["tags"]): string | null {
    let fill: string | null = null;
    for (const tag of tags) {
      const modifiers = this.#modifiersOf(tag);
      if (modifiers === null || argumentOf(modifiers, "when") === "0") continue;
      fill = lookColor(argumentOf(modifiers, "fill") ?? "") ?? fill;
    }
    return fill;
  }

  #modifiersOf(tag: LookTag): readonly ModifierCall[] | null {
    if (tag.number === null) return modifiersOf(tag, this.#rendering);
    return this.#decided?.get(tag.number) ?? null;
  }
}

/** Returns how many cells a cell covers, itself included, as the last tag says that applies; null if none does. */
export function spanOf(tags: LookOp["tags"], rendering: Rendering): Span | null {
  rendering.env.spend(tags.length);
  for (const tag of tags.toReversed()) {
    const modifiers = modifiersOf(tag, rendering);
    if (modifiers === null || argumentOf(modifiers, "when") === "0") continue;
    const pointer = pointerTo(tag, "span", rendering);
    return { cells: Number(argumentOf(modifiers, "span")), origin: tag.origin, pointer };
  }
  return null;
}

/** Returns the width from the last tag that applies; null if none does. A tag with empty text does not apply. */
export function widthOf(tags: LookOp["tags"], rendering: Rendering): GivenWidth | null {
  rendering.env.spend(tags.length);
  for (const tag of tags.toReversed()) {
    const modifiers = modifiersOf(tag, rendering);
    if (modifiers === null || argumentOf(modifiers, "when") === "0") continue;
    const text = argumentOf(modifiers, "width") ?? "";
    if (text.trim() === "") continue;
    return { text, origin: tag.origin, pointer: pointerTo(tag, "width", rendering) };
  }
  return null;
}

/** Returns the place in the data from which a modifier has its argument; undefined if the template has it. */
function pointerTo(
  { modifiers }: LookTag,
  modifier: "span" | "width",
  { env }: Rendering,
): string | undefined {
  const given = modifiers.find(({ name }) => name === modifier)?.arguments[0]?.expression;
  return given === undefined ? undefined : placeOf(given, env);
}

/**
 * Reports a tag such as `{{paragraph :: italic}}` if `paragraph` is a text that the author may want to print, or `column`
 * is a picture.
 */
function checkTarget({ origin, target }: LookTag, { env, diagnostics }: Rendering): void {
  const item = target === null ? undefined : turnNamed(target, env.scope)?.item;
  if (item === undefined || item === null) return;
  if (target === "column" ? !isImageValue(item) : typeof item === "object") return;
  diagnostics.warn(
    origin,
    "hidden_key",
    `The tag ${origin.text} changes its ${target} and prints nothing, although '${target}' is also the item of a loop.`,
    undefined,
    () => "To print the item, give it another name in the tag of the loop.",
  );
}

/** Returns the modifiers of a tag with the values of their arguments; null if one has no value. */
export function modifiersOf(tag: LookTag, rendering: Rendering): readonly ModifierCall[] | null {
  const { origin, modifiers } = tag;
  const { env, diagnostics } = rendering;
  checkTarget(tag, rendering);
  const resolved = diagnostics.guard(origin, () => {
    const decided = modifiers.map((call) => withConditions(call, origin, rendering));
    env.doubts.length = 0;
    env.missed.length = 0;
    return resolveArguments(decided, env, tag.target);
  });
  if (env.doubts.length > 0) reportDoubts(env, origin, diagnostics, "allowed");
  if (resolved === undefined) return null;
  if (resolved.modifiers !== undefined) return resolved.modifiers;
  const missing = resolved.missing ?? env.missed.at(-1) ?? null;
  if (hasModifier(modifiers, "optional")) return null;
  if (missing === null) diagnostics.withoutResult(origin, ALLOWED);
  else {
    diagnostics.notProvided(origin, missing.source, pointerOf(missing, env), () =>
      hintForMissingArgument(modifiers, missing, env),
    );
  }
  return null;
}

const ALLOWED =
  'If it may be missing, write what counts in its place, as in fill(color ?? ""), or :: optional in the tag.';

/** Replaces conditions with their results. Like `if`, they report a comparison with a missing value. */
function withConditions(call: ModifierCall, origin: TagOrigin, rendering: Rendering): ModifierCall {
  const { arguments: kinds }: Signature = MODIFIERS[call.name];
  if (!kinds.includes("condition")) return call;
  const given = call.arguments.map((argument): ModifierArgument => {
    if (argument.expression === undefined) return argument;
    const isTrue = isTruthy(rendering.condition(origin, argument.expression));
    return { kind: "number", value: isTrue ? "1" : "0" };
  });
  return { ...call, arguments: given };
}
