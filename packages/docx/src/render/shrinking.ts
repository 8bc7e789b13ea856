import { shrinkText } from "../fit/shrink-text.ts";
import type { Shrinking } from "../program/tag-ops.ts";
import { placeOf } from "./evaluate/context/pointers.ts";
import { SLOT } from "./piece-list.ts";
import type { Rendering } from "./rendering.ts";

/** Number of steps to begin a box, number of characters of XML read per step, and of characters laid out per step. */
const BOX = 16;
const READ = 8;
const LAID_OUT = 16;

/**
 * Returns the content of a box with text that fits. `minimum`: the smallest size of all text in half points, or 0 for
 * the usual one; null if only marked runs shrink. Reports text that does not fit, and sizes that are only estimates.
 */
export function shrunkXml(
  xml: string,
  { box, origin, value, isSilent }: Shrinking,
  minimum: number | null,
  { budget, diagnostics, env, output }: Rendering,
): string {
  budget.spend(BOX + xml.length / READ, "texts");
  const shrunk = shrinkText(xml, box, output.facts.textStyles(), minimum);
  budget.spend(shrunk.characters * (1 + shrunk.rounds / LAID_OUT), "texts");
  if (isSilent) return shrunk.xml;
  const pointer = value === null ? undefined : placeOf(value, env);
  if (!shrunk.fits) {
    diagnostics.warn(
      origin,
      "does_not_fit",
      `The text at the tag ${origin.text} does not fit, even with the smallest size.`,
      pointer,
      () =>
        box.height === null
          ? "Each paragraph must fit on one line, because the row grows with its text. Make the cell wider, give the row an exact height so that lines may be broken, or allow a smaller size: the number in shrink(…) is the smallest one, in points."
          : "Enlarge the cell or the text box, or allow a smaller size: the number in shrink(…) is the smallest one, in points.",
    );
  }
  const doubts = xml.includes(SLOT) ? [...shrunk.doubts, LATE] : shrunk.doubts;
  if (doubts.length > 0) {
    diagnostics.warn(
      origin,
      "size_estimated",
      `The size of the text at the tag ${origin.text} is an estimate, because ${doubts.join(", and ")}.`,
      pointer,
      () =>
        "Check the result. The widths of Calibri, Cambria, Arial, Times New Roman and Courier New are known.",
    );
  }
  return shrunk.xml;
}

const LATE = "a delimiter in it depends on later items";
