import type { DocxPackage } from "@quire/ooxml/internal/open";
import { Edits } from "@quire/ooxml/internal/xml/edits";
import { NamespaceScope } from "@quire/ooxml/internal/xml/namespaces";
import { type ScanBounds, type ScanHandler, scanXml } from "@quire/ooxml/internal/xml/scan";
import type { ScannedTag } from "@quire/ooxml/internal/xml/scan-tag";
import { OWN_AUTHOR } from "../template/nodes/own-comments.ts";
import { attributeOf, numberOf, readUtf8 } from "./xml.ts";

/** A part with its XML in UTF-8. */
export interface OwnPart {
  readonly part: string;
  readonly xml: Buffer;
}

/** A document without the comments of an earlier annotation. */
export interface ClearedDocument {
  readonly main: OwnPart;
  /** The part with the document's other comments; null if the document has no part for comments. */
  readonly comments: OwnPart | null;
  /** Whether any comments were removed. */
  readonly isChanged: boolean;
}

/**
 * Removes the comments of an earlier annotation, because an author who continues with an annotated copy wants only
 * current comments. Comments with replies are kept.
 */
export function withoutOldComments(docx: DocxPackage, bounds: ScanBounds): ClearedDocument {
  const part = partOf(docx, "comments");
  const main = { part: docx.mainPart, xml: readUtf8(docx, docx.mainPart) };
  if (part === null) return { main, comments: null, isChanged: false };
  const xml = readUtf8(docx, part);
  const finder = new OldComments(repliedTo(docx));
  scanXml(part, xml, finder, bounds);
  const comments = { part, xml: finder.edits.applyTo(xml) };
  if (finder.ids.size === 0) return { main, comments, isChanged: false };
  const marks = new OldMarks(finder.ids);
  scanXml(main.part, main.xml, marks, bounds);
  const cleared = { part: main.part, xml: marks.edits.applyTo(main.xml) };
  return { main: cleared, comments, isChanged: true };
}

function partOf(docx: DocxPackage, wanted: string): string | null {
  const found = docx
    .relationshipsOf(docx.mainPart)
    .find(({ kind, part }) => kind === wanted && part !== null);
  return found?.part ?? null;
}

/** Returns the ids of the paragraphs in comments that have replies, in uppercase. */
function repliedTo(docx: DocxPackage): ReadonlySet<string> {
  const part = partOf(docx, "commentsExtended");
  const xml = part === null ? "" : docx.readText(part);
  const ids = xml.matchAll(/paraIdParent\s*=\s*["']([\da-f]+)["']/gi);
  return new Set([...ids].map(([, id = ""]) => id.toUpperCase()));
}

/** Finds the comments of an earlier annotation in the comments part. */
class OldComments implements ScanHandler {
  readonly edits = new Edits();
  readonly ids = new Set<number>();
  readonly #replied: ReadonlySet<string>;
  readonly #scope = new NamespaceScope();
  #open: { readonly depth: number; readonly start: number; readonly id: number } | null = null;
  #isReplied = false;

  constructor(replied: ReadonlySet<string>) {
    this.#replied = replied;
  }

  open(tag: ScannedTag): void {
    const { depth, start } = tag;
    if (tag.declares) this.#scope.enter(depth, tag.attributes());
    const name = this.#scope.element(tag.name);
    const id = name === "w:comment" ? this.#ownId(tag) : null;
    if (id !== null) {
      this.#open = { depth, start, id };
      this.#isReplied = false;
    } else if (name === "w:p" && this.#open !== null && this.#replied.size > 0) {
      const paragraph = attributeOf(this.#scope, tag, "w14:paraId") ?? "";
      this.#isReplied ||= this.#replied.has(paragraph.toUpperCase());
    }
    if (tag.empty) this.close(depth, start, tag.end);
  }

  close(depth: number, _: number, end: number): void {
    this.#scope.leave(depth);
    const open = this.#open;
    if (open === null || open.depth !== depth) return;
    this.#open = null;
    if (this.#isReplied) return;
    this.ids.add(open.id);
    this.edits.remove(open.start, end);
  }

  #ownId(tag: ScannedTag): number | null {
    const author = attributeOf(this.#scope, tag, "w:author");
    const initials = attributeOf(this.#scope, tag, "w:initials");
    const isOwn = OWN_AUTHOR === `w:author="${author}" w:initials="${initials}"`;
    return isOwn ? numberOf(this.#scope, tag, "w:id") : null;
  }
}

/** An open element. */
interface OpenElement {
  readonly name: string;
  readonly start: number;
  /** Whether it is a mark of an old comment. */
  readonly isMark: boolean;
  /** Whether the element contains such a mark, and whether it contains anything else. Needed only for runs. */
  holdsMark: boolean;
  holdsOther: boolean;
}

/** Finds the marks of old comments in the main part. */
class OldMarks implements ScanHandler {
  readonly edits = new Edits();
  readonly #ids: ReadonlySet<number>;
  readonly #scope = new NamespaceScope();
  readonly #open: OpenElement[] = [];

  constructor(ids: ReadonlySet<number>) {
    this.#ids = ids;
  }

  open(tag: ScannedTag): void {
    if (tag.declares) this.#scope.enter(tag.depth, tag.attributes());
    const name = this.#scope.element(tag.name);
    const isMark = MARKS.has(name) && this.#ids.has(numberOf(this.#scope, tag, "w:id") ?? -1);
    const parent = this.#open.at(-1);
    if (parent !== undefined && isMark) parent.holdsMark = true;
    else if (parent !== undefined && name !== "w:rPr") parent.holdsOther = true;
    this.#open.push({ name, start: tag.start, isMark, holdsMark: false, holdsOther: false });
    if (tag.empty) this.close(tag.depth, tag.start, tag.end);
  }

  close(depth: number, _: number, end: number): void {
    this.#scope.leave(depth);
    const element = this.#open.pop();
    if (element === undefined) return;
    const { name, start, isMark, holdsMark, holdsOther } = element;
    if (isMark || (name === "w:r" && holdsMark && !holdsOther)) this.edits.remove(start, end);
  }
}

const MARKS: ReadonlySet<string> = new Set([
  "w:commentRangeStart",
  "w:commentRangeEnd",
  "w:commentReference",
]);
