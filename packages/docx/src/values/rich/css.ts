import { fontProperties } from "./font-shorthand.ts";
import type { FontSize } from "./model.ts";

/** The content of a `style` attribute: the last value of each property, in lowercase except for fonts. */
export type Style = ReadonlyMap<string, string>;

/** Maximum number of characters of a `style` attribute. Longer ones are truncated, because no editor writes them. */
const MAX_STYLE = 10_000;

const NO_STYLE: Style = new Map();

/** Reads a `style` attribute. Semicolons within quotes or brackets do not affect the properties used here. */
export function parseStyle(text: string | undefined): Style {
  if (text === undefined || text === "") return NO_STYLE;
  const style = new Map<string, string>();
  for (const declaration of text.slice(0, MAX_STYLE).split(";")) {
    const colon = declaration.indexOf(":");
    if (colon === -1) continue;
    const name = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s?important/i, "")
      .trim();
    if (name === "font") for (const [part, of] of fontProperties(value)) style.set(part, of);
    else style.set(name, name === "font-family" ? value : value.toLowerCase());
  }
  return style;
}

/** Points per absolute unit. */
const POINTS: ReadonlyMap<string, number> = new Map([
  ["pt", 1],
  ["px", 0.75],
  ["pc", 12],
  ["in", 72],
  ["cm", 72 / 2.54],
  ["mm", 72 / 25.4],
]);

const LENGTH = /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(px|pt|pc|in|cm|mm|em|rem|ex|ch|%)?$/;

/** A length in points or, for a percentage, as a fraction of the reference length. */
export type Length = { readonly points: number } | { readonly share: number };

/**
 * Reads a length. A number without a unit means pixels; `em` and `rem` are 12 points. Returns null for anything else.
 */
export function parseLength(text: string | undefined): Length | null {
  if (text === undefined || text.length > 40) return null;
  const match = LENGTH.exec(text.trim().toLowerCase());
  if (match === null) return null;
  const number = Number(match[1]);
  const unit = match[2] ?? "px";
  if (unit === "%") return { share: number / 100 };
  const points = POINTS.get(unit) ?? (unit === "em" || unit === "rem" ? 12 : null);
  return points === null ? null : { points: number * points };
}

/** Named sizes: in points as in browsers, or relative to the surrounding text. */
const SIZES: ReadonlyMap<string, FontSize> = new Map([
  ["xx-small", { points: 7 }],
  ["x-small", { points: 7.5 }],
  ["small", { points: 10 }],
  ["medium", { points: 12 }],
  ["large", { points: 13.5 }],
  ["x-large", { points: 18 }],
  ["xx-large", { points: 24 }],
  ["xxx-large", { points: 36 }],
  ["smaller", { scale: 0.83 }],
  ["larger", { scale: 1.2 }],
]);

const MIN_POINTS = 1;
const MAX_POINTS = 400;

/** Reads a font size. Limits points to the range 1 to 400. Returns null for an invalid size and for zero. */
export function parseFontSize(text: string | undefined): FontSize | null {
  if (text === undefined || text.length > 40) return null;
  const named = SIZES.get(text);
  if (named !== undefined) return named;
  const match = LENGTH.exec(text);
  if (match === null) return null;
  const number = Number(match[1]);
  if (!(number > 0)) return null;
  const unit = match[2] ?? "px";
  if (unit === "em") return scaled(number);
  if (unit === "%") return scaled(number / 100);
  if (unit === "ex" || unit === "ch") return scaled(number / 2);
  if (unit === "rem") return bounded(number * 12);
  return bounded(number * (POINTS.get(unit) ?? 1));
}

/** Reads the `size` attribute of a `<font>` element: a size from 1 to 7, or a difference from 3. */
export function parseFontTagSize(text: string | undefined): FontSize | null {
  const match = /^\s{0,9}([+-]?)(\d{1,3})/.exec(text ?? "");
  if (match === null) return null;
  const number = Number(match[2]);
  const sign = match[1] === "" ? 0 : 3;
  const size = Math.min(7, Math.max(1, match[1] === "-" ? sign - number : sign + number));
  return { points: [7.5, 10, 12, 13.5, 18, 24, 36][size - 1] ?? 12 };
}

/** Combines the size of text with the size of the text around it. A factor multiplies the outer size. */
export function combineSizes(outer: FontSize | undefined, inner: FontSize): FontSize {
  if (inner.points !== undefined || outer === undefined) return inner;
  if (outer.points !== undefined) return bounded(outer.points * inner.scale);
  return scaled(outer.scale * inner.scale);
}

function bounded(points: number): FontSize {
  return { points: Math.min(MAX_POINTS, Math.max(MIN_POINTS, points)) };
}

/** Limits a factor. The size is limited when the text is written. */
function scaled(scale: number): FontSize {
  return { scale: Math.min(40, Math.max(0.02, scale)) };
}

const GENERIC_FONTS: ReadonlyMap<string, string> = new Map([
  ["serif", "Times New Roman"],
  ["ui-serif", "Times New Roman"],
  ["sans-serif", "Arial"],
  ["ui-sans-serif", "Arial"],
  ["monospace", "Courier New"],
  ["ui-monospace", "Courier New"],
  ["-apple-system", "Arial"],
  ["blinkmacsystemfont", "Arial"],
  ["system-ui", "Arial"],
]);

/** Maximum number of characters of a font name in Word. */
const MAX_FONT_NAME = 31;

/** Returns the first name in a list of font families, in its original case, or null if it is not valid. */
export function parseFontFamily(text: string | undefined): string | null {
  const first = (text ?? "").slice(0, 200).split(",", 1)[0] ?? "";
  const name = first.replace(/["']/g, "").trim();
  const generic = GENERIC_FONTS.get(name.toLowerCase());
  if (generic !== undefined) return generic;
  if (name.length > MAX_FONT_NAME || !/^[\p{L}\p{N}_][\p{L}\p{N} _.-]*$/u.test(name)) return null;
  return /^(?:inherit|initial|unset|revert|cursive|fantasy|var)$/i.test(name) ? null : name;
}
