import { escapeAttribute, escapeText } from "../package/xml.ts";

/** What stands between two `w:t` of one run for a character that is an element in Word. */
const BREAK = '</w:t><w:br/><w:t xml:space="preserve">';
const TAB = '</w:t><w:tab/><w:t xml:space="preserve">';

/**
 * Line breaks: also the vertical tab, which Access and Word's own merges write, and the separators of lines
 * and paragraphs of Unicode.
 */
const BREAKS = /\r\n|[\n\r\v\u2028\u2029]/g;

/**
 * Characters that XML 1.0 cannot hold (its production 2, `Char`) and that are not line breaks: control
 * characters except tab, line feed, carriage return and the vertical tab, lone surrogates, U+FFFE and U+FFFF.
 */
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text with every kind of line break as a line feed. */
export function withLineFeeds(text: string): string {
  return text.replace(BREAKS, "\n");
}

/** Whether a value holds a character that XML cannot hold. */
export function holdsForbidden(text: string): boolean {
  FORBIDDEN.lastIndex = 0;
  return FORBIDDEN.test(text);
}

/**
 * A value as it stands within a `w:t` of a run: escaped, forbidden characters replaced by U+FFFD, a
 * line break as `w:br` and a tab as `w:tab` beside the text, in their order.
 */
export function textXml(text: string): string {
  return inSlices(text, (slice) => {
    const escaped = escapeText(slice.replace(FORBIDDEN, "\ufffd"));
    if (!/[\t\n\r\v\u2028\u2029]/.test(escaped)) return escaped;
    return escaped.replace(BREAKS, BREAK).replaceAll("\t", TAB);
  });
}

/** A text as it stands in an attribute's value, between double quotes. */
export function attributeXml(text: string): string {
  return inSlices(text, (slice) =>
    escapeAttribute(slice.replace(FORBIDDEN, "\ufffd").replace(/[\v\u2028\u2029]/g, "\n")),
  );
}

/** A value as it stands in an element that holds nothing but text, line breaks as spaces. */
export function plainXml(text: string): string {
  return inSlices(text, (slice) =>
    escapeText(slice.replace(FORBIDDEN, "\ufffd").replace(BREAKS, " ").replaceAll("\t", " ")),
  );
}

/** Longer texts are written in pieces: one with millions of characters to escape takes gigabytes at once. */
const SLICE = 100_000;

/** What a text becomes, slice by slice; no slice ends between two characters that belong together. */
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
