import { endOf, paragraphAt, startOf } from "./entry-ends.ts";
import { type Field, FieldScan } from "./fields.ts";
import { formOf } from "./forms.ts";
import { NODES, type Node } from "./nodes.ts";
import { refuse } from "./refusal.ts";
import { readSection, type Section } from "./sections.ts";
import type { Edit, Story, StoryReaders } from "./story.ts";
import type { Tag } from "./tags.ts";
import { PROPERTIES } from "./whitelist.ts";

const PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture";

/** The attribute of each element that may contain a relationship id. */
const RELATIONS: ReadonlyMap<string, string> = new Map([
  ["w:hyperlink", "r:id"],
  ["a:blip", "r:embed"],
]);

/** Matches non-Latin characters, as UTF-8 bytes. Such characters may use other fonts. */
const BEYOND_LATIN = /[\xc9-\xf4][\x80-\xbf]{1,3}/g;

/**
 * Reads the content of a story from `start` up to `to`, or to the end of its root. Create one scan for each story.
 * Refuses content that is not on the whitelist.
 */
export class StoryScan {
  readonly #xml: string;
  readonly #readers: StoryReaders;
  readonly #fields: FieldScan;
  readonly #open: Node[] = [];
  readonly #edits: Edit[] = [];
  readonly #forms = new Set<number>();
  readonly #styles = new Set<string>();
  readonly #relations = new Map<string, string>();
  readonly #sections: Section[] = [];
  /** The ids of open bookmarks. */
  readonly #bookmarks = new Set<string>();
  #tables = 0;
  #cells = 0;
  #keeps = false;
  #borders = false;
  #countsPages = false;
  #first: number | null = null;
  #last: number | null = null;
  /** The names of the last two elements of the body. */
  #ends: readonly [string, string] = ["", ""];
  /** The name of the first element of the current section. */
  #startsSection: string | null = null;

  constructor(xml: string, readers: StoryReaders) {
    this.#xml = xml;
    this.#readers = readers;
    this.#fields = new FieldScan(xml);
  }

  /** Scans a header or footer whose root tag ends at `start`. */
  header(root: string, start: number): Story {
    const end = this.#scan(root, start, this.#xml.length);
    if (this.#open.length > 0) refuse("its XML is broken");
    return this.#story(start, end);
  }

  /** Scans a main document whose body starts at `start`. The properties of the last section start at `to`. */
  body(start: number, to: number, section: Section): Story {
    this.#scan("w:body", start, to);
    if (this.#open.length !== 1) refuse("its XML is broken");
    if (this.#countsPages) refuse("a page count in running text");
    this.#sections.push(section);
    this.#forms.add(formOf(section.xml));
    this.#mark(start);
    return this.#story(start, to);
  }

  #story(start: number, end: number): Story {
    if (this.#bookmarks.size > 0) refuse("an unusual bookmark");
    for (const [character] of this.#xml.slice(start, end).matchAll(BEYOND_LATIN)) {
      this.#forms.add(formOf(`text ${character.slice(0, -1)}`));
    }
    return {
      xml: this.#xml,
      start,
      end,
      // An insertion comes before a replacement at the same position.
      edits: this.#edits.toSorted((a, b) => a.start - b.start || a.end - b.end),
      forms: this.#forms,
      styles: this.#styles,
      relations: this.#relations,
      sections: this.#sections,
      countsPages: this.#countsPages,
      tables: this.#tables,
      cells: this.#cells,
      keeps: this.#keeps,
      borders: this.#borders,
    };
  }

  #scan(root: string, start: number, to: number): number {
    this.#open.push(NODES.get(root) ?? refuse(root));
    let at = this.#xml.indexOf("<", start);
    while (at !== -1 && at < to) {
      const tag = this.#readers.tags.read(this.#xml, at);
      if (tag.closes) {
        this.#close(tag);
        if (this.#open.length === 0) return at;
        at += tag.text.length;
      } else at = this.#enter(tag, at);
      at = this.#xml.indexOf("<", at);
    }
    return to;
  }

  #enter(tag: Tag, at: number): number {
    const parent = this.#open.at(-1);
    const child = parent?.children.get(tag.name);
    if (child === undefined) refuse(`${tag.name} in ${parent?.name ?? "nothing"}`);
    if (PROPERTIES.has(tag.name)) return this.#block(tag, at);
    this.#forms.add(child.form);
    if (this.#open.length === 1) {
      this.#ends = [this.#ends[1], tag.name];
      this.#startsSection ??= tag.name;
    }
    if (tag.relations.length > 0) this.#relation(tag, at);
    this.#judge(tag, at);
    if (!tag.empty) this.#open.push(child.node);
    return at + tag.text.length;
  }

  #close(tag: Tag): void {
    const element = this.#open.pop();
    if (element?.name !== tag.name) refuse("its XML is broken");
    if (tag.name !== "w:p") return;
    this.#fields.paragraph();
  }

  #block(tag: Tag, at: number): number {
    if (tag.empty) return at + tag.text.length;
    const closing = `</${tag.name}>`;
    const closes = this.#xml.indexOf(closing, at);
    if (closes === -1) refuse("its XML is broken");
    const end = closes + closing.length;
    const { form, styles, list, keeps, borders, section } = this.#readers.blocks.read(
      tag.name,
      this.#xml.slice(at, end),
    );
    this.#forms.add(form);
    this.#keeps ||= keeps;
    this.#borders ||= borders;
    for (const style of styles) this.#styles.add(style);
    if (list !== null && list.id !== "0") {
      this.#edits.push({ kind: "list", id: list.id, start: at + list.start, end: at + list.end });
    }
    if (section !== null) this.#section(at + section[0], at + section[1]);
    return end;
  }

  #section(start: number, end: number): void {
    if (this.#open[0]?.name !== "w:body" || this.#open.length !== 2) refuse("a section in a table");
    const section = readSection(this.#xml.slice(start, end), this.#readers.tags);
    this.#forms.add(formOf(section.xml));
    this.#edits.push({ kind: "section", index: this.#sections.length, start, end });
    this.#sections.push(section);
    this.#startsSection = null;
  }

  #relation(tag: Tag, at: number): void {
    const [name = ""] = tag.relations;
    const attribute = tag.attributes.get(name);
    if (attribute === undefined || tag.relations.length > 1 || RELATIONS.get(tag.name) !== name) {
      refuse(`${tag.name} with ${tag.relations.join(" and ")}`);
    }
    const id = attribute.value;
    if ((this.#relations.get(id) ?? tag.name) !== tag.name)
      refuse("a relationship that two kinds of elements use");
    this.#relations.set(id, tag.name);
    const [start, end] = [at + attribute.start, at + attribute.end];
    this.#edits.push({ kind: "relation", id, start, end });
  }

  /** Handles elements that need more than the check against the whitelist. */
  #judge(tag: Tag, at: number): void {
    switch (tag.name) {
      case "w:p":
        this.#first ??= at;
        this.#last = at;
        return;
      case "w:tbl":
        this.#tables += 1;
        return;
      case "w:tc":
        this.#cells += 1;
        return;
      case "w:fldSimple":
        this.#field(this.#fields.simple(tag, at));
        return;
      case "w:fldChar":
        this.#field(this.#fields.mark(tag));
        return;
      case "w:instrText":
        this.#fields.code(tag, at);
        return;
      case "w:bookmarkStart":
      case "w:bookmarkEnd":
        this.#bookmark(tag, at);
        return;
      default:
        this.#judgeRest(tag);
    }
  }

  #bookmark(tag: Tag, at: number): void {
    const id = tag.attributes.get("w:id")?.value;
    const starts = tag.name === "w:bookmarkStart";
    // LibreOffice loses bookmarks that end after the last paragraph.
    const between = this.#open.length === 1;
    if (between || !tag.empty || id === undefined || tag.attributes.has("w:colFirst")) {
      refuse("an unusual bookmark");
    }
    if (starts === this.#bookmarks.has(id)) refuse("an unusual bookmark");
    if (starts) this.#bookmarks.add(id);
    else this.#bookmarks.delete(id);
    this.#edits.push({ kind: "bookmark", starts, id, start: at, end: at + tag.text.length });
  }

  #judgeRest({ name, attributes, relations }: Tag): void {
    switch (name) {
      case "w:br": {
        const type = attributes.get("w:type")?.value ?? "textWrapping";
        if (type !== "textWrapping" && type !== "page") refuse("a column break");
        this.#forms.add(formOf(`w:br ${type} ${attributes.get("w:clear")?.value ?? ""}`));
        return;
      }
      case "w:hyperlink":
        if (
          relations.length === 0 ||
          attributes.has("w:anchor") ||
          attributes.has("w:docLocation")
        ) {
          refuse("a link to a place in the document");
        }
        return;
      case "wp:anchor":
        // The picture's position may depend on what LibreOffice has already laid out.
        if (this.#open[0]?.name === "w:body") refuse("a floating picture");
        return;
      case "a:blip":
        if (relations.length === 0) refuse("a picture without a file");
        return;
      case "a:graphicData":
        if (attributes.get("uri")?.value !== PICTURE) refuse("a drawing that is not a picture");
        return;
    }
  }

  #field(field: Field | null): void {
    if (field === null) return;
    this.#forms.add(formOf(`field ${field.kind}`));
    if (field.kind !== "NUMPAGES") return;
    const [code] = field.code;
    if (code === undefined || field.code.length > 1) refuse("a field in several pieces");
    this.#countsPages = true;
    this.#edits.push({ kind: "page count", ...code });
  }

  /** Records the edits at the start and the end of the entry. */
  #mark(start: number): void {
    const first = paragraphAt(this.#xml, this.#first ?? refuse("no paragraph"));
    const last = paragraphAt(this.#xml, this.#last ?? refuse("no paragraph"));
    const kinds = this.#ends.join(" ");
    this.#forms.add(formOf(`first ${this.#xml.slice(start, first.end)}`));
    this.#forms.add(formOf(`last ${kinds} ${this.#xml.slice(last.start, last.end)}`));
    // LibreOffice does not show a section that contains only an empty paragraph.
    if (first.start === last.start && first.empty) refuse("no text");
    if (this.#startsSection === "w:sdt" || this.#ends[1] === "w:sdt") refuse("w:sdt at an end");
    const breaks = this.#startsSection === "w:tbl" && this.#ends[1] === "w:p";
    this.#edits.push({ kind: "start", ...startOf(this.#xml, first) });
    this.#edits.push({ kind: "end", breaks, ...endOf(this.#xml, last) });
  }
}
