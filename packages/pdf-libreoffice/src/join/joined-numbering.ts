import { refuse } from "./refusal.ts";
import type { TagReader } from "./tags.ts";

/** The lists of a document: `numbering.xml`. */
export interface Numbering {
  readonly xml: string;
  /** `<w:abstractNum>…</w:abstractNum>` by id. */
  readonly looks: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, List>;
  /** Insertion points for further abstract lists and further lists. */
  readonly looksEnd: number;
  readonly listsEnd: number;
}

/** A `<w:num>…</w:num>` and the abstract list that it uses. */
export interface List {
  readonly xml: string;
  readonly look: string;
}

/** Reads `numbering.xml`. */
export function readNumbering(xml: string, tags: TagReader): Numbering {
  const looks = new Map<string, string>();
  const lists = new Map<string, List>();
  let looksEnd = 0;
  for (const [id, text, end] of elementsIn(xml, "w:abstractNum", "w:abstractNumId", tags)) {
    looks.set(id, text);
    looksEnd = end;
  }
  let listsEnd = looksEnd;
  for (const [id, text, end] of elementsIn(xml, "w:num", "w:numId", tags)) {
    const at = text.indexOf("<w:abstractNumId");
    if (at === -1 || end < looksEnd) refuse("unusual list definitions");
    lists.set(id, { xml: text, look: tags.read(text, at).attributes.get("w:val")?.value ?? "" });
    listsEnd = end;
  }
  return { xml, looks, lists, looksEnd, listsEnd };
}

/** Yields the id, the text and the end index of each element with this name. */
function* elementsIn(
  xml: string,
  name: string,
  idName: string,
  tags: TagReader,
): Generator<[id: string, text: string, end: number]> {
  const closing = `</${name}>`;
  for (let at = xml.indexOf(`<${name} `); at !== -1; ) {
    const id = tags.read(xml, at).attributes.get(idName)?.value;
    const end = xml.indexOf(closing, at) + closing.length;
    if (id === undefined || end < at) refuse("unusual list definitions");
    yield [id, xml.slice(at, end), end];
    at = xml.indexOf(`<${name} `, end);
  }
}

/**
 * The lists of a joined document: the first document's lists, and the other documents' lists with new ids, so that
 * numbering starts again in each document. Equal lists that have only bullets are shared.
 */
export class JoinedNumbering {
  readonly #base: Numbering;
  readonly #newLooks: string[] = [];
  readonly #newLists: string[] = [];
  /** The highest ids in use. */
  #look: number;
  #list: number;

  constructor(base: Numbering) {
    this.#base = base;
    this.#look = highest(base.looks.keys());
    this.#list = highest(base.lists.keys());
  }

  /** Maps the list ids of another document to ids in the joined document. Call this once for each document. */
  ofEntry(numbering: Numbering): (id: string) => string {
    const looks = new Map<string, string>();
    const lists = new Map<string, string>();
    return (id) => {
      const known = lists.get(id);
      if (known !== undefined) return known;
      const given = this.#shared(numbering, id) ?? this.#add(numbering, id, looks);
      lists.set(id, given);
      return given;
    };
  }

  /** Returns `numbering.xml` of the joined document; null if it is the same as in the first document. */
  write(): string | null {
    if (this.#newLists.length === 0) return null;
    const { xml, looksEnd, listsEnd } = this.#base;
    const looks = this.#newLooks.join("");
    const lists = this.#newLists.join("");
    return (
      xml.slice(0, looksEnd) + looks + xml.slice(looksEnd, listsEnd) + lists + xml.slice(listsEnd)
    );
  }

  #shared(numbering: Numbering, id: string): string | null {
    return !counts(numbering, id) && sameList(numbering, this.#base, id) ? id : null;
  }

  #add(numbering: Numbering, id: string, looks: Map<string, string>): string {
    const list = listOf(numbering, id);
    let look = looks.get(list.look);
    if (look === undefined) {
      this.#look += 1;
      look = String(this.#look);
      looks.set(list.look, look);
      this.#newLooks.push(renumberedLook(lookOf(numbering, list), look));
    }
    this.#list += 1;
    const given = String(this.#list);
    this.#newLists.push(
      list.xml
        .replace(/w:numId="[^"]*"/, `w:numId="${given}"`)
        .replace(/<w:abstractNumId w:val="[^"]*"\s*\/>/, `<w:abstractNumId w:val="${look}"/>`),
    );
    return given;
  }
}

/** Returns an abstract list with a new id. Word also uses `w:nsid` to distinguish abstract lists. */
function renumberedLook(xml: string, number: string): string {
  const sign = (0x7a00_0000 + Number(number)).toString(16).toUpperCase();
  return xml
    .replace(/w:abstractNumId="[^"]*"/, `w:abstractNumId="${number}"`)
    .replace(/<w:nsid w:val="[^"]*"\s*\/>/, `<w:nsid w:val="${sign}"/>`);
}

function highest(ids: Iterable<string>): number {
  let most = 0;
  for (const id of ids) {
    if (!/^\d{1,9}$/.test(id)) refuse("unusual list definitions");
    most = Math.max(most, Number(id));
  }
  return most;
}

function listOf(numbering: Numbering, id: string): List {
  return numbering.lists.get(id) ?? refuse("a list that is not defined");
}

function lookOf({ looks }: Numbering, { look }: List): string {
  return looks.get(look) ?? refuse("a list that is not defined");
}

/** Whether a list is numbered. Refuses lists that involve styles. */
export function counts(numbering: Numbering, id: string): boolean {
  const list = listOf(numbering, id);
  const look = lookOf(numbering, list);
  const formats = [...(look + list.xml).matchAll(/<w:numFmt w:val="([^"]*)"/g)];
  const counted = formats.some(([, format]) => format !== "bullet" && format !== "none");
  if (formats.length === 0 || /<w:(?:numStyleLink|styleLink)\b/.test(look))
    refuse("a list defined by a style");
  if (counted && look.includes("<w:pStyle")) refuse("a list defined by a style");
  return counted;
}

/** Whether a list looks the same in two documents. */
export function sameList(a: Numbering, b: Numbering, id: string): boolean {
  const [first, second] = [a.lists.get(id), b.lists.get(id)];
  if (first === undefined || second === undefined || first.xml !== second.xml) return false;
  return a.looks.get(first.look) === b.looks.get(second.look);
}
