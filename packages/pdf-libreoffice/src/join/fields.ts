import type { Span } from "./entry-ends.ts";
import { refuse } from "./refusal.ts";
import type { Tag } from "./tags.ts";

/** The fields whose result does not depend on what else stands in the document, apart from pages. */
export type FieldKind = "PAGE" | "NUMPAGES" | "HYPERLINK";

/** A field of which all is read that says what it does. */
export interface Field {
  readonly kind: FieldKind;
  /** Where its code stands, in one piece or several. */
  readonly code: readonly Span[];
}

const NUMBER = /^(PAGE|NUMPAGES)(?:\s+\\\*\s*(?:MERGEFORMAT|ARABIC))*$/i;

/** An address elsewhere: places within the document would be those of another entry. */
const LINK = /^HYPERLINK\s+"(?:https?|mailto):[^"\\]*"(?:\s+\\[ot]\s+"[^"\\]*")*$/i;

/** Judges the code of a field, escaped as it stands in XML. */
export function fieldKind(code: string): FieldKind {
  const text = code.replaceAll("&quot;", '"').trim();
  const [, number] = NUMBER.exec(text) ?? [];
  if (number !== undefined) return number.toUpperCase() === "PAGE" ? "PAGE" : "NUMPAGES";
  if (LINK.test(text)) return "HYPERLINK";
  refuse(`the field ${/^\w{1,20}/.exec(text)?.[0] ?? "(none)"}`);
}

/** Follows the fields of a story. Refuses fields in fields, and fields over several paragraphs. */
export class FieldScan {
  readonly #xml: string;
  /** Pieces of the code that is being read; null outside of fields. */
  #code: Span[] | null = null;
  /** Whether the code is over. */
  #judged = false;

  constructor(xml: string) {
    this.#xml = xml;
  }

  /** `w:fldSimple`, whose tag stands at `at`. */
  simple(tag: Tag, at: number): Field {
    const code = tag.attributes.get("w:instr");
    if (code === undefined || this.#code !== null) refuse("a field in a field");
    return {
      kind: fieldKind(code.value),
      code: [{ start: at + code.start, end: at + code.end }],
    };
  }

  /** `w:fldChar`. Gives the field when its code ends here. */
  mark(tag: Tag): Field | null {
    const type = tag.attributes.get("w:fldCharType")?.value;
    if (type === "begin") {
      if (this.#code !== null) refuse("a field in a field");
      this.#code = [];
      this.#judged = false;
      return null;
    }
    const code = this.#code ?? refuse("the end of a field without its start");
    const judged = this.#judged;
    this.#judged = true;
    if (type === "end") this.#code = null;
    if (judged) return null;
    const text = code.map(({ start, end }) => this.#xml.slice(start, end)).join("");
    return { kind: fieldKind(text), code };
  }

  /** `w:instrText`, whose tag stands at `at`. */
  code(tag: Tag, at: number): void {
    if (tag.empty) return;
    if (this.#code === null || this.#judged) refuse("the code of no field");
    const start = at + tag.text.length;
    this.#code.push({ start, end: this.#xml.indexOf("<", start) });
  }

  /** The end of a paragraph. */
  paragraph(): void {
    if (this.#code !== null) refuse("a field over several paragraphs");
  }
}
