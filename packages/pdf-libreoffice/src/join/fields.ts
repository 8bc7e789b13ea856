import type { Span } from "./entry-ends.ts";
import { refuse } from "./refusal.ts";
import type { Tag } from "./tags.ts";

/** Fields whose result depends only on the pages, and on nothing else in the document. */
export type FieldKind = "PAGE" | "NUMPAGES" | "HYPERLINK";

/** A field whose instruction has been read completely. */
export interface Field {
  readonly kind: FieldKind;
  /** The ranges of the field's instruction, which has one or more pieces. */
  readonly code: readonly Span[];
}

const NUMBER = /^(PAGE|NUMPAGES)(?:\s+\\\*\s*(?:MERGEFORMAT|ARABIC))*$/i;

/** A link to an external address. A link within the document is refused: its target could belong to another entry. */
const LINK = /^HYPERLINK\s+"(?:https?|mailto):[^"\\]*"(?:\s+\\[ot]\s+"[^"\\]*")*$/i;

/** Checks the instruction of a field, with XML escapes. */
export function fieldKind(code: string): FieldKind {
  const text = code.replaceAll("&quot;", '"').trim();
  const [, number] = NUMBER.exec(text) ?? [];
  if (number !== undefined) return number.toUpperCase() === "PAGE" ? "PAGE" : "NUMPAGES";
  if (LINK.test(text)) return "HYPERLINK";
  refuse(`the field ${/^\w{1,20}/.exec(text)?.[0] ?? "(none)"}`);
}

/** Tracks the fields of a story. Refuses nested fields and fields that span several paragraphs. */
export class FieldScan {
  readonly #xml: string;
  /** The pieces of the current field's instruction; null outside fields. */
  #code: Span[] | null = null;
  /** Whether the instruction has ended. */
  #judged = false;

  constructor(xml: string) {
    this.#xml = xml;
  }

  /** Handles a `w:fldSimple` whose tag is at `at`. */
  simple(tag: Tag, at: number): Field {
    const code = tag.attributes.get("w:instr");
    if (code === undefined || this.#code !== null) refuse("a field in a field");
    return {
      kind: fieldKind(code.value),
      code: [{ start: at + code.start, end: at + code.end }],
    };
  }

  /** Handles a `w:fldChar`. Returns the field if its instruction ends here, otherwise null. */
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

  /** Handles a `w:instrText` whose tag is at `at`. */
  code(tag: Tag, at: number): void {
    if (tag.empty) return;
    if (this.#code === null || this.#judged) refuse("a field instruction outside a field");
    const start = at + tag.text.length;
    this.#code.push({ start, end: this.#xml.indexOf("<", start) });
  }

  /** Handles the end of a paragraph. */
  paragraph(): void {
    if (this.#code !== null) refuse("a field over several paragraphs");
  }
}
