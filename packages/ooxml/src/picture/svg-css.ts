/** Constructs other than `url()` that load something in a style sheet. */
const LOADING = /@import|\b(?:image|image-set|src|cross-fade|element)\(/;

/** A numeric CSS escape, which could represent any character. */
const NUMERIC_ESCAPE = /\\[0-9a-f]/i;

/** Whether a style sheet or a `style` attribute refers to anything other than elements of the same SVG. */
export function loadsSomething(css: string): boolean {
  return refersOutside(css) || NUMERIC_ESCAPE.test(css) || LOADING.test(plain(css));
}

/**
 * Whether the value of an attribute has a `url()` of anything other than an element of the same SVG. Takes linear time.
 */
export function refersOutside(value: string): boolean {
  if (!value.includes("(")) return false;
  if (NUMERIC_ESCAPE.test(value)) return true;
  const text = plain(value);
  for (let at = text.indexOf("url("); at !== -1; at = text.indexOf("url(", at + 4)) {
    if (firstLetter(text, at + 4) !== "#") return true;
  }
  return false;
}

/** Returns CSS as a parser reads it: with escaped letters decoded, and in lowercase. */
function plain(css: string): string {
  return css.replaceAll("\\", "").toLowerCase();
}

/** Returns the first character of an argument, after any spaces and quotation marks. */
function firstLetter(text: string, start: number): string {
  let at = start;
  while (/[\s"']/.test(text.charAt(at))) at += 1;
  return text.charAt(at);
}
