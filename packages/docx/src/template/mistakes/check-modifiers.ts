import type { Diagnostic } from "@quire/contracts";
import { checkDecimals } from "../../format/format-number.ts";
import { checkPattern } from "../../format/format-pattern.ts";
import type { ModifierArgument, ModifierCall } from "../../language/modifiers.ts";
import { checkBarcodeKind } from "../../values/image/barcode.ts";
import { parseLength } from "../../values/image/size.ts";
import { patternIn } from "../../values/modifiers.ts";
import { tagProblem } from "../nodes/diagnostics.ts";
import type { TagNode } from "../nodes/nodes.ts";

/** The ways in which an image may fill its box. */
export const FITS: readonly string[] = ["contain", "cover", "stretch"];

/** Reports problems with the arguments of a tag's modifiers. The arguments are literals, so this does not need data. */
export function checkModifiers(tag: TagNode): Diagnostic[] {
  if (tag.directive.kind !== "value") return [];
  return tag.directive.modifiers.flatMap(({ name, arguments: given }) =>
    given.flatMap((argument, index) => {
      const why = index === 0 ? problemOf(name, argument) : problemOfSecond(name, argument);
      if (why === null) return [];
      const quoted = JSON.stringify(argument.value);
      return [
        tagProblem(
          tag,
          "modifier_argument",
          `The argument ${quoted} of '${name}' in ${tag.text} ${why}${why.endsWith("?") ? "" : "."}`,
        ),
      ];
    }),
  );
}

/**
 * Returns why the second argument of a modifier is invalid, as the end of a sentence that begins with the argument;
 * null if it is valid.
 */
function problemOfSecond(name: ModifierCall["name"], { value }: ModifierArgument): string | null {
  return name === "currency" ? checkDecimals(value) : null;
}

/** Returns why the first argument of a modifier is invalid, in the form of {@link problemOfSecond}. */
function problemOf(name: ModifierCall["name"], argument: ModifierArgument): string | null {
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
        ? 'is not a length: write a number with a unit, such as "4cm", "25mm", "1.5in", "90pt" or "120px"'
        : null;
    case "fit":
      return FITS.includes(value) ? null : `is not one of ${FITS.join(", ")}`;
    case "barcode":
      return checkBarcodeKind(value);
    default:
      return null;
  }
}
