import { refuse } from "./refusal.ts";
import { isOn, type Tag, type TagReader } from "./tags.ts";
import { PROPERTIES } from "./whitelist.ts";

/** The properties of a section: `<w:sectPr>…</w:sectPr>`. */
export interface Section {
  readonly xml: string;
  readonly references: readonly StoryReference[];
  /** The range of `<w:type/>` in `xml`; null if it is missing. */
  readonly type: readonly [start: number, end: number] | null;
  /** The tag `<w:pgNumType/>` and its index in `xml`; null if it is missing. */
  readonly numbers: { readonly tag: Tag; readonly at: number } | null;
  /** Whether the first page has the number 1 if this is the first section. */
  readonly countsFromOne: boolean;
  /** Whether the section sets the number of its first page. */
  readonly restarts: boolean;
  /** The index in `xml` where `<w:pgNumType/>` belongs. */
  readonly numbersAt: number;
}

/** A header or footer that a section names. Indexes are relative to the section. */
export interface StoryReference {
  /** The range of the whole tag. */
  readonly tag: readonly [start: number, end: number];
  /** For example `w:headerReference default`. */
  readonly kind: string;
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Elements that come before `<w:pgNumType/>` in a section. */
const BEFORE_NUMBERS: ReadonlySet<string> = new Set([
  "w:sectPr",
  "w:headerReference",
  "w:footerReference",
  "w:footnotePr",
  "w:endnotePr",
  "w:type",
  "w:pgSz",
  "w:pgMar",
  "w:paperSrc",
]);

/** Reads the properties of a section. Refuses properties that depend on preceding pages. */
export function readSection(xml: string, tags: TagReader): Section {
  const references: StoryReference[] = [];
  let type: Section["type"] = null;
  let numbers: Section["numbers"] = null;
  let numbersAt = 0;
  const last = xml.lastIndexOf("<");
  for (let at = 0; at !== -1 && at < last; at = xml.indexOf("<", at + 1)) {
    const tag = tags.read(xml, at);
    if (tag.closes) continue;
    const end = at + tag.text.length;
    if (BEFORE_NUMBERS.has(tag.name)) numbersAt = end;
    if (at === 0) continue;
    if (PROPERTIES.get("w:sectPr")?.has(tag.name) !== true) refuse(`a section with ${tag.name}`);
    checkProperty(tag);
    if (tag.name === "w:type") type = [at, end];
    else if (tag.name === "w:pgNumType") numbers = { tag, at };
    else if (tag.relations.length > 0) references.push(readReference(tag, at));
  }
  if (numbersAt === 0) refuse("a section without properties");
  const start = numbers?.tag.attributes.get("w:start")?.value;
  return {
    xml,
    references,
    type,
    numbers,
    numbersAt,
    restarts: start !== undefined,
    countsFromOne: start === undefined || start === "1",
  };
}

function checkProperty(tag: Tag): void {
  const given = (name: string): string | undefined => tag.attributes.get(name)?.value;
  switch (tag.name) {
    case "w:type":
      if (given("w:val") !== "nextPage") refuse("a section that does not start on a new page");
      return;
    case "w:cols":
      if (Number(given("w:num") ?? "1") > 1) refuse("columns");
      return;
    case "w:textDirection":
      if (given("w:val") !== "lrTb") refuse("text in another direction");
      return;
    case "w:formProt":
      if (isOn(tag)) refuse("a protected section");
      return;
    case "w:pgNumType": {
      if ((given("w:fmt") ?? "decimal") !== "decimal") refuse("page numbers that are not decimal");
      if (given("w:chapStyle") !== undefined) refuse("page numbers by chapter");
      const start = given("w:start");
      if (start !== undefined && !/^[1-9]\d{0,3}$/.test(start)) refuse("an unusual page number");
    }
  }
}

function readReference(tag: Tag, at: number): StoryReference {
  const id = tag.attributes.get("r:id");
  const isStory = tag.name === "w:headerReference" || tag.name === "w:footerReference";
  if (!isStory || id === undefined || tag.relations.length > 1) {
    refuse(`${tag.name} with a relationship`);
  }
  const kind = `${tag.name} ${tag.attributes.get("w:type")?.value ?? "default"}`;
  return {
    tag: [at, at + tag.text.length],
    kind,
    id: id.value,
    start: at + id.start,
    end: at + id.end,
  };
}

/** How to write a section into the joined document. */
export interface SectionPlace {
  /**
   * Whether the section is the first one of its entry. The first section starts on a new page, which has the number 1
   * unless the section sets another number.
   */
  readonly first: boolean;
  /** The kinds of headers and footers that the section inherits from the section before it. */
  readonly inherited: ReadonlySet<string>;
  /** Maps relationship ids to ids in the joined document. */
  readonly idOf: (id: string) => string;
}

/** Returns the XML of a section in the joined document. */
export function writeSection(section: Section, { first, inherited, idOf }: SectionPlace): string {
  const { xml, type, numbers, numbersAt } = section;
  const edits: [start: number, end: number, text: string][] = [];
  for (const { tag, kind, id, start, end } of section.references) {
    edits.push(inherited.has(kind) ? [...tag, ""] : [start, end, idOf(id)]);
  }
  if (first && type !== null) edits.push([...type, ""]);
  if (first && !section.restarts) edits.push(numbered(numbers, numbersAt));
  let written = "";
  let at = 0;
  for (const [start, end, text] of edits.toSorted(([a], [b]) => a - b)) {
    written += xml.slice(at, start) + text;
    at = end;
  }
  return written + xml.slice(at);
}

function numbered(
  numbers: Section["numbers"],
  numbersAt: number,
): [start: number, end: number, text: string] {
  if (numbers === null) return [numbersAt, numbersAt, '<w:pgNumType w:start="1"/>'];
  const start = numbers.at + "<w:pgNumType".length;
  return [start, start, ' w:start="1"'];
}
