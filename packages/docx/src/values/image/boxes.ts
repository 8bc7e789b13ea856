import type { ModifierCall } from "../../language/modifiers.ts";
import { argumentOf, hasModifier } from "../modifiers.ts";
import type { ImageValue } from "./read-image.ts";
import { type Box, boxFor, type Fit, parseLength } from "./size.ts";

/**
 * Returns the box of an inline picture: the size from its tag, or its natural size, limited to the width of the column.
 */
export function boxOf(
  image: ImageValue,
  modifiers: readonly ModifierCall[],
  maxWidthEmu: number | null,
): Box {
  const width = lengthOf(modifiers, "width");
  const height = lengthOf(modifiers, "height");
  return boxFor(
    image,
    {
      ...(width === null ? {} : { width }),
      ...(height === null ? {} : { height }),
      ...(hasModifier(modifiers, "fit") ? { fit: fitOf(modifiers) } : {}),
    },
    maxWidthEmu,
  );
}

/** Returns how an image fills a box, according to its tag. */
export function fitOf(modifiers: readonly ModifierCall[]): Fit {
  return (argumentOf(modifiers, "fit") as Fit | undefined) ?? "contain";
}

function lengthOf(modifiers: readonly ModifierCall[], name: "width" | "height"): number | null {
  const text = argumentOf(modifiers, name);
  return text === undefined ? null : parseLength(text);
}
