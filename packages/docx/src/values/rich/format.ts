import { parseColor } from "./colors.ts";
import {
  combineSizes,
  parseFontFamily,
  parseFontSize,
  parseFontTagSize,
  type Style,
} from "./css.ts";
import type { RichFormat } from "./model.ts";
import { isSignFont } from "./signs.ts";

/** The font for code. Every system has this font, or one with the same widths. */
const CODE_FONT = "Courier New";

/** The format of each element without attributes. */
const ELEMENT_FORMATS: ReadonlyMap<string, RichFormat> = new Map([
  ...each(["b", "strong"], { bold: true }),
  ...each(["i", "em", "cite", "dfn", "var", "address"], { italic: true }),
  ...each(["u", "ins"], { underline: true }),
  ...each(["s", "strike", "del"], { strike: true }),
  ...each(["sub"], { vertical: "subscript" }),
  ...each(["sup"], { vertical: "superscript" }),
  ...each(["code", "kbd", "samp", "tt", "pre", "listing", "xmp", "plaintext"], { font: CODE_FONT }),
  ...each(["mark"], { background: "FFFF00" }),
  ...each(["small"], { size: { scale: 0.83 } }),
  ...each(["big"], { size: { scale: 1.2 } }),
  ...each(["th", "summary", "dt", "caption"], { bold: true }),
]);

function each(names: readonly string[], format: RichFormat): [string, RichFormat][] {
  return names.map((name) => [name, format]);
}

/** The relevant attributes, by name. */
export type Attributes = ReadonlyMap<string, string>;

/**
 * Returns the format of text in an element within text of the format `outer`. Returns `outer` itself if the element has
 * no format.
 */
export function formatWithin(
  outer: RichFormat,
  name: string,
  attributes: Attributes,
  style: Style,
): RichFormat {
  const inner = withSigns(outer, {
    ...ELEMENT_FORMATS.get(name),
    ...(name === "font" ? fontFormat(attributes) : undefined),
    ...styleFormat(style),
  });
  if (Object.keys(inner).length === 0) return outer;
  const format = { ...outer, ...inner };
  // Relative sizes are multiplied. Lines of an outer decoration are kept.
  const size = inner.size === undefined ? undefined : combineSizes(outer.size, inner.size);
  return size === undefined ? format : { ...format, size };
}

/** Moves a symbol font from `font` to `signs`. Any other font ends the symbol font of the outer text. */
function withSigns(outer: RichFormat, inner: RichFormat): RichFormat {
  const { font, ...others } = inner;
  if (font !== undefined && isSignFont(font)) return { ...others, signs: font };
  return font === undefined || outer.signs === undefined ? inner : { ...inner, signs: undefined };
}

function fontFormat(attributes: Attributes): RichFormat {
  return said({
    color: parseColor(attributes.get("color") ?? ""),
    size: parseFontTagSize(attributes.get("size")),
    font: parseFontFamily(attributes.get("face")),
  });
}

/** Removes properties that are null or undefined. */
function said(
  format: { readonly [K in keyof RichFormat]: RichFormat[K] | null | undefined },
): RichFormat {
  return Object.fromEntries(
    Object.entries(format).filter(([, value]) => value !== null && value !== undefined),
  );
}

function styleFormat(style: Style): RichFormat {
  if (style.size === 0) return {};
  return said({
    bold: boldOf(style.get("font-weight")),
    italic: italicOf(style.get("font-style")),
    ...decorationOf(style.get("text-decoration") ?? style.get("text-decoration-line")),
    vertical: VERTICALS.get(style.get("vertical-align") ?? "") ?? null,
    color: parseColor(style.get("color") ?? ""),
    background: parseColor(style.get("background-color") ?? style.get("background") ?? ""),
    size: parseFontSize(style.get("font-size")),
    font: parseFontFamily(style.get("font-family")),
    caps: capsOf(style),
  });
}

const VERTICALS: ReadonlyMap<string, "subscript" | "superscript" | "baseline"> = new Map([
  ["sub", "subscript"],
  ["super", "superscript"],
  ["baseline", "baseline"],
]);

function boldOf(weight: string | undefined): boolean | null {
  if (weight === "bold" || weight === "bolder") return true;
  if (weight === "normal" || weight === "lighter") return false;
  return weight !== undefined && /^[1-9]\d{0,3}$/.test(weight) ? Number(weight) >= 600 : null;
}

function italicOf(value: string | undefined): boolean | null {
  if (value === "normal") return false;
  return value === "italic" || value?.startsWith("oblique") ? true : null;
}

/** Reads `text-decoration`. `none` removes both lines; one kind of line does not affect the other. */
function decorationOf(value: string | undefined): Pick<RichFormat, "underline" | "strike"> {
  const words = (value ?? "").slice(0, 200).split(" ");
  if (words.includes("none")) return { underline: false, strike: false };
  return {
    ...(words.includes("underline") ? { underline: true } : undefined),
    ...(words.includes("line-through") ? { strike: true } : undefined),
  };
}

function capsOf(style: Style): "all" | "small" | "none" | null {
  const transform = style.get("text-transform");
  const variant = style.get("font-variant") ?? style.get("font-variant-caps");
  if (transform === "uppercase") return "all";
  if (variant === "small-caps") return "small";
  return transform === "none" || variant === "normal" ? "none" : null;
}
