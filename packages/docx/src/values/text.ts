import { escapeAttribute, escapeText } from "@quire/ooxml/internal/xml/escape";

/** XML that replaces a character for which Word has an element. The element is between two `w:t` of one run. */
const BREAK = '</w:t><w:br/><w:t xml:space="preserve">';
const TAB = '</w:t><w:tab/><w:t xml:space="preserve">';

/**
 * Line breaks, including the vertical tab, which Access and Word's mail merge write, and Unicode's line and
 * paragraph separators.
 */
const BREAKS = /\r\n|[\n\r\v\u2028\u2029]/g;

/**
 * Characters that XML 1.0 forbids (its production 2, `Char`) and that are not line breaks: control characters
 * except tab, line feed, carriage return and vertical tab; lone surrogates; U+FFFE and U+FFFF.
 */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for these characters
  /[\u0000-\u0008\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Replaces every kind of line break with a line feed. */
export function withLineFeeds(text: string): string {
  return text.replace(BREAKS, "\n");
}

/** Whether a value contains a character that XML forbids. */
export function holdsForbidden(text: string): boolean {
  FORBIDDEN.lastIndex = 0;
  return FORBIDDEN.test(text);
}

/**
 * Converts a value for a `w:t` of a run. Escapes it, and replaces forbidden characters with U+FFFD, line breaks with
 * `w:br` and tabs with `w:tab`.
 */
export function textXml(text: string): string {
  return inSlices(text, (slice) => {
    const escaped = escapeText(slice.replace(FORBIDDEN, "\ufffd"));
    if (!/[\t\n\r\v\u2028\u2029]/.test(escaped)) return escaped;
    return escaped.replace(BREAKS, BREAK).replaceAll("\t", TAB);
  });
}

/** Converts a string for the value of an attribute in double quotes. */
export function attributeXml(text: string): string {
  return inSlices(text, (slice) =>
    escapeAttribute(slice.replace(FORBIDDEN, "\ufffd").replace(/[\v\u2028\u2029]/g, "\n")),
  );
}

/** Converts a value for an element that contains only text. Line breaks and tabs become spaces. */
export function plainXml(text: string): string {
  return inSlices(text, (slice) =>
    escapeText(slice.replace(FORBIDDEN, "\ufffd").replace(BREAKS, " ").replaceAll("\t", " ")),
  );
}

/** Maximum number of characters to escape at once. Escaping millions of characters at once takes gigabytes. */
const SLICE = 100_000;

/** Converts a string slice by slice. No slice ends between two characters that belong together. */
function inSlices(text: string, write: (slice: string) => string): string {
  if (text.length <= SLICE) return write(text);
  let written = "";
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + SLICE, text.length);
    if (/^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(to - 1, to + 1))) to += 1;
    written += write(text.slice(from, to));
    from = to;
  }
  return written;
}

const OF_PROGRAMS: ReadonlySet<string> = new Set([
  ...["null", "NULL", "undefined", "NaN", "[object Object]"],
  ...["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!"],
]);
/** The length of the longest of them, and their first characters. */
const LONGEST = 15;
const FIRST = "nNu[#";

/** Whether programs write a text in place of a missing value, an object or a result. `Null` may be a name. */
export function isProgramText(text: string): boolean {
  return text.length <= LONGEST && FIRST.includes(text.charAt(0)) && OF_PROGRAMS.has(text);
}
