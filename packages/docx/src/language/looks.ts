import type { Expression } from "./grammar/expression.ts";
import { LOOKS, type ModifierName } from "./grammar/modifier-signatures.ts";
import type { ModifierCall } from "./modifiers.ts";

export type Look = (typeof LOOKS)[number];

/** A property that a look needs, as an element. `bold` and `italic` each need two, for scripts such as Arabic. */
export type ElementLook =
  | ("fill" | "color" | "bold" | "boldComplex" | "italic" | "italicComplex")
  | ("underline" | "strike" | "paragraphStyle" | "textStyle")
  | "shapeFill";

/** A property that a look needs. The fill of a VML shape is in attributes, with details in an element. */
export type SlotLook = ElementLook | "vmlFill" | "vmlFillDetails";

/** What a tag such as `{{row :: fill("red")}}` changes. A tag that prints a value changes its own text. */
export const LOOK_TARGETS = ["cell", "row", "paragraph", "shape"] as const;
/** An element whose look a tag changes. */
export type TargetElement = (typeof LOOK_TARGETS)[number];
export type LookTarget = TargetElement | "text";

/** Whether a modifier changes how something looks, or says when. */
export function isLook(name: ModifierName): boolean {
  return name === "when" || (LOOKS as readonly string[]).includes(name);
}

/**
 * Returns what the look modifiers of a tag change; null if it has none. `cell`, `row`, `paragraph` and `shape`
 * alone, with nothing but look modifiers, mean the element around the tag, even if the data has such a key.
 */
export function lookTarget(
  expression: Expression,
  modifiers: readonly ModifierCall[],
): LookTarget | null {
  if (!modifiers.some(({ name }) => isLook(name))) return null;
  const name = expression.kind === "path" && expression.rest.length === 0 ? expression.source : "";
  const target = LOOK_TARGETS.find((each) => each === name);
  const isOnlyLook = modifiers.every((call) => isLook(call.name) || call.name === "optional");
  return target !== undefined && isOnlyLook ? target : "text";
}
