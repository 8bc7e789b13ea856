import { isIndexKeyword, readInstruction } from "./instructions.ts";

/**
 * The name that replaces `w:t` in the result of an index while a part is lexed, so that the tags that Word copied there
 * from headings are not found.
 */
export const INDEX_TEXT = "w:indexText";

const PIECES =
  /<w:fldChar [^>]*?w:fldCharType="(begin|separate|end)"[^>]*>|<w:instrText(?: [^>]*)?>([^<]*)|<(\/?)w:(?:txbxContent|footnote|endnote|comment)(?=[ >])/g;

/** Hides the text in the results of tables of contents and other indexes. The part is canonical XML. */
export function holdIndexEntries(xml: string): string {
  if (!xml.includes("<w:instrText")) return xml;
  const finder = new IndexFinder();
  for (const { 0: all, 1: mark, 2: text, 3: slash, index } of xml.matchAll(PIECES)) {
    if (text !== undefined) finder.instruction(text);
    else if (mark !== undefined) finder.mark(mark, index, index + all.length);
    else finder.flow(slash === "");
  }
  let held = "";
  let at = 0;
  for (const { from, to } of finder.results.toSorted((a, b) => a.from - b.from)) {
    // A nested index is hidden with the outer one.
    if (from < at) continue;
    const result = xml.slice(from, to).replace(/<(\/?)w:t(?=[ />])/g, `<$1${INDEX_TEXT}`);
    held += xml.slice(at, from) + result;
    at = to;
  }
  return held + xml.slice(at);
}

/** Finds the results of indexes among the marks of fields. */
class IndexFinder {
  readonly results: { readonly from: number; readonly to: number }[] = [];
  readonly #open: { instruction: string; from: number | null }[] = [];
  /** The number of open fields around each text flow, such as a text box. */
  readonly #flows: number[] = [];

  instruction(text: string): void {
    const field = this.#open.at(-1);
    if (field?.from === null) field.instruction += text;
  }

  mark(type: string, start: number, end: number): void {
    const field = this.#open.at(-1);
    if (type === "begin") this.#open.push({ instruction: "", from: null });
    else if (field === undefined || this.#open.length === (this.#flows.at(-1) ?? 0)) return;
    else if (type === "separate") field.from ??= end;
    else {
      this.#open.pop();
      const isIndex = isIndexKeyword(readInstruction(field.instruction).keyword);
      if (isIndex && field.from !== null) this.results.push({ from: field.from, to: start });
    }
  }

  flow(begins: boolean): void {
    if (begins) this.#flows.push(this.#open.length);
    else this.#open.length = Math.min(this.#open.length, this.#flows.pop() ?? 0);
  }
}
