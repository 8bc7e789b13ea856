import { type Wording, withTags } from "./delimiters/wording.ts";
import type { Expression } from "./grammar/expression.ts";
import { LOOKS, type ModifierName } from "./grammar/modifier-signatures.ts";
import type { ModifierCall } from "./modifiers.ts";

export type Look = (typeof LOOKS)[number];

/** A property that a look needs, as an element; for `shrink`, a mark that the output does not have. `bold` and `italic` each need two, for scripts such as Arabic. */
export type ElementLook =
  | ("fill" | "color" | "bold" | "boldComplex" | "italic" | "italicComplex")
  | ("underline" | "strike" | "paragraphStyle" | "textStyle")
  | ("shapeFill" | "shrink");

/** A property that a look needs. The fill of a VML shape is in attributes, with details in an element. */
export type SlotLook = ElementLook | "vmlFill" | "vmlFillDetails";

const ELEMENTS = ["cell", "row", "paragraph", "shape"] as const;
/** What a tag such as `{{row :: fill("red")}}` changes: the look of an element, or the width of a column. */
export type TargetElement = (typeof ELEMENTS)[number] | "column";
/** A tag that prints a value changes its own text. */
export type LookTarget = TargetElement | "text";

/** Whether a modifier changes how something looks, or says when. */
export function isLook(name: ModifierName): boolean {
  return name === "when" || (LOOKS as readonly string[]).includes(name);
}

/**
 * Returns what the look modifiers of a tag change; null if it has none. `cell`, `row`, `paragraph` and `shape`
 * alone, with nothing but look modifiers, mean the element around the tag, even if the data has such a key. The same is
 * true for `column` with a `width`, which is the size of a picture in other tags.
 */
export function lookTarget(
  expression: Expression,
  modifiers: readonly ModifierCall[],
): LookTarget | null {
  const name = nameIn(expression);
  const others = modifiers.filter((call) => !isLook(call.name) && call.name !== "optional");
  const isWidth = others.length === 1 && others[0]?.name === "width";
  if (name === "column" && isWidth) return "column";
  if (!modifiers.some((call) => isLook(call.name))) return null;
  const target = ELEMENTS.find((each) => each === name);
  return target !== undefined && others.length === 0 ? target : "text";
}

/**
 * Returns the hint for `{{cell :: width("3cm")}}`, which prints a picture named `cell`; null for other tags. `width`: the
 * modifier as written, with its condition.
 */
export function columnMeant(expression: Expression, width: string | null): Wording | null {
  return width !== null && /^(?:cell|col|column|columns|table)$/i.test(nameIn(expression))
    ? withTags`For the width of a column write {{column :: ${width}}} into one of its cells.`
    : null;
}

/** Returns the name that an expression consists of; empty for any other expression. */
function nameIn(expression: Expression): string {
  return expression.kind === "path" && expression.rest.length === 0 ? expression.source : "";
}
