import type { RichWarning, RichWarningCode } from "./model.ts";

/** Maximum number of element names in one message. */
const MAX_NAMES = 10;

/** The message for each code. It contains the names of elements, if there are any. */
const MESSAGES: Readonly<Record<RichWarningCode, (names: string) => string>> = {
  unsupported_markup: (names) =>
    `The rich text contains elements that Word cannot show (${names}); their text was kept.`,
  dropped_markup: (names) =>
    `The rich text contains content that is not meant for readers (${names}); it was left out.`,
  literal_markup: () =>
    "The rich text contains a '<' that does not begin a complete tag; it was printed as text.",
  lost_lines: () =>
    "The value has no HTML, and its line breaks were lost: without :: html they are printed.",
  lost_markdown: () =>
    "The value has no HTML, but looks like Markdown: write :: markdown in place of :: html.",
  escaped_markup: () =>
    "The rich text contains tags as text (&lt;p&gt;), which were printed: give them as tags, <p>.",
  markup_limit: (names) => `The rich text is too large or nested too deeply: ${names}.`,
  unsafe_link: () =>
    "The rich text contains a link without a full http, https, mailto or tel address; its text was printed without the link.",
  external_image: () =>
    "The rich text contains a picture that is not embedded in it; its alternative text was printed. Give the picture as a data: URI.",
  forbidden_character: () =>
    "The rich text contains characters that are not allowed in a Word document; they were replaced by U+FFFD.",
};

/** Collects the warnings about one value: each code once, with all its names. */
export class RichWarnings {
  readonly #names = new Map<RichWarningCode, Set<string>>();

  /** Adds a warning. `name` is an element or, for `markup_limit`, the consequence. It is never a part of the value. */
  add(code: RichWarningCode, name = ""): void {
    const names = this.#names.get(code) ?? new Set();
    this.#names.set(code, names);
    if (names.size <= MAX_NAMES) names.add(name);
  }

  /** The warnings, in the order of their first occurrence. */
  get list(): readonly RichWarning[] {
    return [...this.#names].map(([code, names]) => {
      const shown = [...names].slice(0, MAX_NAMES);
      if (names.size > MAX_NAMES) shown.push("…");
      const separator = code === "markup_limit" ? "; " : ", ";
      return { code, message: MESSAGES[code](shown.join(separator)) };
    });
  }
}

/** Returns the name of an element for a message. Anything other than a plain name could be part of the value. */
export function nameForMessage(name: string): string {
  return /^[a-z][a-z0-9:-]{0,19}$/.test(name) ? `<${name}>` : "others";
}
