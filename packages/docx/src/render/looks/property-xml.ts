import { SHRINK_MARK } from "../../fit/read-text.ts";
import type { SlotLook } from "../../language/looks.ts";
import type { LookTag } from "../../program/tag-ops.ts";
import { lookMeant, type Styles, styleMeant } from "../../values/arguments/style-meant.ts";
import { lookColor } from "../../values/rich/colors.ts";
import { attributeXml } from "../../values/text.ts";
import type { Diagnostics } from "../evaluate/context/document-diagnostics.ts";

/** Returns the XML of a property; null if the argument sets nothing. */
export function propertyXml(
  look: SlotLook,
  argument: string | undefined,
  { origin }: LookTag,
  { styles, diagnostics }: { readonly styles: Styles; readonly diagnostics: Diagnostics },
): string | null {
  const isOff = argument === "0";
  switch (look) {
    case "fill":
    case "color":
    case "shapeFill":
    case "vmlFill":
    case "vmlFillDetails": {
      const color = lookColor(argument ?? "");
      return color === null ? null : COLORED[look](color);
    }
    case "paragraphStyle":
    case "textStyle": {
      const [element, type] =
        look === "textStyle"
          ? (["w:rStyle", "character"] as const)
          : (["w:pStyle", "paragraph"] as const);
      if (argument === undefined || argument.trim() === "") return null;
      const id = styles.styleId(argument, type);
      if (id !== null) return `<${element} w:val="${attributeXml(id)}"/>`;
      const message = `The tag ${origin.text} names a ${type} style that the template does not have.`;
      const meant = type === "character" ? lookMeant(origin.text) : null;
      diagnostics.add(
        origin,
        { severity: "error", code: "invalid_value", message },
        () => meant ?? styleMeant(argument, type, styles),
      );
      return null;
    }
    case "shrink":
      return `<${SHRINK_MARK} w:val="${halfPoints(argument)}"/>`;
    default:
      return isOff ? null : ON[look];
  }
}

/** The XML of a property with a color. */
const COLORED = {
  fill: (color: string) => `<w:shd w:val="clear" w:color="auto" w:fill="${color}"/>`,
  color: (color: string) => `<w:color w:val="${color}"/>`,
  shapeFill: (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`,
  vmlFill: (color: string) => ` fillcolor="#${color}" filled="t"`,
  vmlFillDetails: () => "",
} as const;

const ON = {
  bold: "<w:b/>",
  boldComplex: "<w:bCs/>",
  italic: "<w:i/>",
  italicComplex: "<w:iCs/>",
  underline: '<w:u w:val="single"/>',
  strike: "<w:strike/>",
} as const;

/** Returns the argument of `shrink` in half points; 0 without an argument. */
export function halfPoints(points: string | undefined): number {
  return points === undefined ? 0 : Number(points) * 2;
}
