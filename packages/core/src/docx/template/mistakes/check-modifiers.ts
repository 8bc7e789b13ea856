import type { Diagnostic } from "../../../errors.ts";
import { checkPattern } from "../../values/format/format-pattern.ts";
import { checkBarcodeKind } from "../../values/image/barcode.ts";
import { parseLength } from "../../values/image/size.ts";
import { patternIn } from "../../values/modifiers.ts";
import type { ModifierCall } from "../language/modifiers.ts";
import type { TagNode } from "../nodes.ts";
import { tagProblem } from "./diagnostics.ts";

/** How an image may fill the box that is given to it. */
export const FITS: readonly string[] = ["contain", "cover", "stretch"];

/** What is wrong with the arguments of a tag's modifiers: they are literals, so an author can be told at once. */
export function checkModifiers(tag: TagNode): Diagnostic[] {
  if (tag.directive.kind !== "value") return [];
  return tag.directive.modifiers.flatMap((call) => {
    const why = problemOf(call);
    if (why === null) return [];
    const argument = call.arguments[0]?.value ?? "";
    return [
      tagProblem(
        tag,
        "modifier_argument",
        `The argument ${JSON.stringify(argument)} of '${call.name}' in ${tag.text} ${why}${why.endsWith("?") ? "" : "."}`,
      ),
    ];
  });
}

/** Why the argument of a modifier cannot be used: the end of a sentence about it; null when it can. */
function problemOf({ name, arguments: [argument] }: ModifierCall): string | null {
  if (argument === undefined) return null;
  const { value } = argument;
  switch (name) {
    case "format":
    case "number":
    case "currency":
    case "percent":
      return checkPattern(name, patternIn(argument));
    case "width":
    case "height":
      return parseLength(value) === null
        ? 'is no length: write a number with a unit, such as "4cm", "25mm", "1.5in", "90pt" or "120px"'
        : null;
    case "fit":
      return FITS.includes(value) ? null : `is none of ${FITS.join(", ")}`;
    case "barcode":
      return checkBarcodeKind(value);
    default:
      return null;
  }
}
