import { AuthorCount } from "./author-count.ts";

const COUNTED_TAGS = /<(\/?)(w:p|mc:AlternateContent|mc:Choice|mc:Fallback)(?: [^>]*?)?(\/?)>/g;

/** An open paragraph. */
export interface OpenParagraph {
  readonly number: number;
}

/** Counts the paragraphs of a part, which may be nested. */
export class ParagraphCounter {
  readonly #count = new AuthorCount();
  readonly #open: OpenParagraph[] = [];

  /** The innermost open paragraph; null outside paragraphs. */
  get innermost(): OpenParagraph | null {
    return this.#open.at(-1) ?? null;
  }

  /** Counts the paragraphs in the next piece of XML. */
  follow(xml: string): void {
    for (const [, closes, name = "", empty] of xml.matchAll(COUNTED_TAGS)) {
      if (closes === "") {
        this.#count.open(name);
        if (name === "w:p") this.#open.push({ number: this.#count.paragraphs });
      }
      if (closes === "" && empty === "") continue;
      this.#count.close(name);
      if (name === "w:p") this.#open.pop();
    }
  }
}
