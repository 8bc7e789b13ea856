import { localeNamed } from "../../format/locale-names.ts";
import { type Wording, withTags } from "../delimiters/wording.ts";
import { TEXT, VALUE, Written } from "./written.ts";

/** Names of looks in other languages, in lowercase, with the equivalent modifier. */
const OTHER_LOOKS: ReadonlyMap<string, string> = new Map([
  ...named(
    "fill",
    "background",
    "backgroundcolor",
    "bg",
    "bgcolor",
    "highlight",
    "shading",
    "cellcolor",
  ),
  ...named("color", "colour", "fontcolor", "textcolor", "foreground"),
  ...named("strike", "strikethrough", "strikeout"),
  ...named("underline", "underlined"),
]);

/** Names of what only a style can set. */
const OF_STYLES: ReadonlySet<string> = new Set([
  ...["font", "fontname", "fontfamily", "fontsize", "size", "class"],
  ...["align", "alignment", "textalign", "right", "center", "centre", "justify"],
  ...["indent", "spacing", "margin", "padding", "border", "superscript", "subscript"],
]);

function named(name: string, ...others: readonly string[]): [string, string][] {
  return others.map((other) => [other, name]);
}

/** Returns the hint for a modifier that would set a font, a size or an alignment; null for other names. */
export function styleHint(name: string): string | null {
  if (!OF_STYLES.has(name.toLowerCase().replace(/[_-]/g, ""))) return null;
  const hint =
    'Format the tag in Word. To change the look by the data, write style("Name") with the name of a style of the template.';
  return name === "size" ? `${hint} For the number of items, write count().` : hint;
}

/** Returns the hint for what a paragraph or a picture of the template decides, such as `level`; null for other names. */
export function otherLook(name: string): Wording | null {
  switch (name.toLowerCase().replace(/[_-]/g, "")) {
    case "level":
    case "listlevel":
    case "outlinelevel":
      return withTags`The level comes from a style of the template: {{paragraph :: style("List Number 2")}}.`;
    case "scale":
    case "zoom":
      return 'The size of a picture is a length: width("4cm").';
    case "alt":
    case "alttext":
    case "altdescr":
      return "Write the description in Word, into the alternative text of the placeholder picture, in a line below the tag.";
    default:
      return null;
  }
}

/** Returns a tag with modifiers for its look as they are written here: `color("red", total < 0)` has `when`. */
export function lookMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(\(\s*|,\s*)(#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?)(?=\s*[,)])`,
      ([, before, color]) => `${before}"${color}"`,
    ) ??
    tag.replace(String.raw`(?<=(?:::|,)\s*)(\p{L}+)(?=\s*(?:\(|,|$))`, ([, name = ""]) => {
      return tag.text.includes("::") ? (OTHER_LOOKS.get(name.toLowerCase()) ?? null) : null;
    }) ??
    tag.replace(
      String.raw`(?<=::.*)(color|fill|style)\(\s*(${VALUE})\s*,\s*([^()]*(?:\([^()]*\)[^()]*)*)\)`,
      ([, look, value, condition = ""]) =>
        new Written(condition).match(`^${TEXT}$`) === null
          ? `${look}(${value}), when(${condition})`
          : null,
    ) ??
    tag.replace(
      String.raw`(?<=::.*)(bold|italic|underline|strike)\(\s*true\s*,\s*`,
      ([, look]) => `${look}(`,
    ) ??
    tag.replace(
      String.raw`(?<=::.*)(format|number)\(\s*(${VALUE})\s*,\s*(${TEXT})\s*\)`,
      ([, format, pattern, language = ""]) =>
        `${format}(${pattern}), locale("${localeNamed(language.slice(1, -1)) ?? language.slice(1, -1)}")`,
    )
  );
}
