import { formOf } from "./forms.ts";
import { refuse } from "./refusal.ts";
import { isOn, type Tag, type TagReader } from "./tags.ts";
import { PROPERTIES } from "./whitelist.ts";

/** A block of properties, such as `<w:pPr>…</w:pPr>`. Indexes are relative to the start of the block. */
export interface Block {
  readonly form: number;
  /** The ids of the styles that the block uses. */
  readonly styles: readonly string[];
  /** The list id of a paragraph, and the range of this id. */
  readonly list: ListNumber | null;
  /** Whether the block keeps content together on a page or repeats it on the next page. */
  readonly keeps: boolean;
  /** Whether the block gives a paragraph borders or a background. */
  readonly borders: boolean;
  /** The range of the section properties; null if no section ends with this paragraph. */
  readonly section: readonly [start: number, end: number] | null;
}

/** The value of a `w:numId`. */
export interface ListNumber {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

const STYLES: ReadonlySet<string> = new Set(["w:pStyle", "w:rStyle", "w:tblStyle"]);
/** Properties that keep table rows and the paragraphs around them together. */
export const KEEPS: ReadonlySet<string> = new Set([
  "w:keepNext",
  "w:keepLines",
  "w:cantSplit",
  "w:tblHeader",
  "w:vMerge",
]);

/** Properties of a paragraph that draw something around it or behind it. */
export const BORDERS: ReadonlySet<string> = new Set(["w:pBdr", "w:shd"]);

const SECTION_START = "<w:sectPr";
const SECTION_END = "</w:sectPr>";

/** Reads blocks of properties. Caches the blocks, because most of them occur many times in a document. */
export class BlockReader {
  readonly #known = new Map<string, Block>();
  readonly #tags: TagReader;

  constructor(tags: TagReader) {
    this.#tags = tags;
  }

  /**
   * Reads a block including its tags. `name` is the name of the element. Refuses properties that are not on the
   * whitelist.
   */
  read(name: string, text: string): Block {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const block = this.#parse(name, text);
    this.#known.set(text, block);
    return block;
  }

  #parse(name: string, text: string): Block {
    const section = name === "w:pPr" ? sectionIn(text) : null;
    const allowed = PROPERTIES.get(name);
    const styles: string[] = [];
    let list: ListNumber | null = null;
    let keeps = false;
    let borders = false;
    for (const [tag, start] of this.#tagsIn(text, section)) {
      if (allowed?.has(tag.name) !== true) refuse(`${name} with ${tag.name}`);
      checkProperty(tag, name);
      keeps ||= KEEPS.has(tag.name);
      borders ||= name === "w:pPr" && BORDERS.has(tag.name);
      const value = tag.attributes.get("w:val");
      if (value === undefined) continue;
      if (STYLES.has(tag.name)) styles.push(value.value);
      if (tag.name !== "w:numId") continue;
      if (list !== null) refuse("a paragraph in two lists");
      list = { id: value.value, start: start + value.start, end: start + value.end };
    }
    const [cut, resume] = section ?? (list === null ? [0, 0] : [list.start, list.end]);
    if (section !== null && list !== null) refuse("a list at the end of a section");
    const form = formOf(text.slice(0, cut) + text.slice(resume));
    return { form, styles, list, keeps, borders, section };
  }

  /** Yields the tags within the block, except the tags of the section properties. */
  *#tagsIn(text: string, section: readonly [number, number] | null): Generator<[Tag, number]> {
    const last = text.lastIndexOf("<");
    for (let at = text.indexOf("<", 1); at !== -1 && at < last; at = text.indexOf("<", at + 1)) {
      if (section !== null && at === section[0]) at = section[1] - 1;
      else {
        const tag = this.#tags.read(text, at);
        if (!tag.closes) yield [tag, at];
      }
    }
  }
}

function sectionIn(text: string): [number, number] | null {
  const start = text.indexOf(SECTION_START);
  if (start === -1) return null;
  const end = text.indexOf(SECTION_END, start);
  if (end === -1) refuse("a section without properties");
  return [start, end + SECTION_END.length];
}

function checkProperty(tag: Tag, block: string): void {
  if (tag.relations.length > 0) refuse(`${tag.name} with a relationship`);
  // A paragraph with a hidden mark continues in the next paragraph.
  if (tag.name === "w:vanish" && block === "w:pPr" && isOn(tag)) refuse("a hidden paragraph mark");
}
