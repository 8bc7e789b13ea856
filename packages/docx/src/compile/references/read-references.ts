import { hasFixedCell, hasFixedContent, hasFixedRow } from "../../program/shape.ts";
import { FieldStack, keywordOf, UNKNOWN } from "../../template/fields/field-stack.ts";
import { isIndexKeyword, isKeyword, readInstruction } from "../../template/fields/instructions.ts";
import { referencesIn } from "../../template/fields/references.ts";
import {
  closest,
  type ElementNode,
  type TagNode,
  type TemplateNode,
} from "../../template/nodes/nodes.ts";
import type { PartTree } from "../../template/tree.ts";
import { TOP } from "./bookmark-places.ts";
import { type Frame, frameAfter, frameIn } from "./frames.ts";
import { attributeOf, type NoteFrames } from "./note-frames.ts";
import type {
  BookmarkPlace,
  FieldNote,
  IndexField,
  PartReferences,
  PlacedValue,
  ReadField,
  TaggedUse,
  Use,
} from "./part-references.ts";
import { isComputed, isTaggedReference } from "./stale-results.ts";

/**
 * Reads a part in which every block tag has become a marker. Adds the references to notes to `notes`, which must be
 * known before the notes are read.
 */
export function readReferences(tree: PartTree, notes: NoteFrames): PartReferences {
  return new ReferenceReader(tree, notes).read();
}

class ReferenceReader {
  readonly #tree: PartTree;
  readonly #notes: NoteFrames;
  readonly #hasMarkers: boolean;
  readonly #fields = new FieldStack<FieldNote>();
  readonly #bookmarks: BookmarkPlace[] = [];
  /** Bookmarks that have begun, by their ids, with the number of tags before them. */
  readonly #begun = new Map<string, { readonly place: BookmarkPlace; readonly data: number }>();
  readonly #values: PlacedValue[] = [];
  readonly #uses: Use[] = [];
  readonly #indexes: IndexField[] = [];
  readonly #openIndexes = new Map<ReadField, IndexField>();
  readonly #sequences: ReadField[] = [];
  readonly #formulas: ReadField[] = [];
  readonly #styles: ReadField[] = [];
  readonly #tagged: TaggedUse[] = [];
  readonly #computed: ReadField[] = [];
  /** For each open table, its formulas and the number of tags before the table. */
  readonly #tables: { readonly formulas: ReadField[]; readonly data: number }[] = [];
  readonly #defined = new Set<string>();
  #frame: Frame | null = null;
  #blocks = 0;
  #repeats = 0;
  #boxes = 0;
  #copies = 0;
  #data = 0;
  #moved = false;
  #notesMoved = false;

  constructor(tree: PartTree, notes: NoteFrames) {
    this.#tree = tree;
    this.#notes = notes;
    this.#hasMarkers = tree.tags.length > 0;
  }

  read(): PartReferences {
    this.#node(this.#tree.root);
    // A field without an end is not an index, so the references in its entries are ordinary ones.
    for (const { entries } of this.#openIndexes.values()) this.#uses.push(...entries);
    return {
      tree: this.#tree,
      content: this.#fields.content,
      bookmarks: this.#bookmarks,
      values: this.#values,
      uses: this.#uses,
      indexes: this.#indexes,
      sequences: this.#sequences,
      formulas: this.#formulas,
      styles: this.#styles,
      tagged: this.#tagged,
      computed: this.#computed,
      defined: this.#defined,
      moved: this.#moved,
    };
  }

  #node(node: TemplateNode): void {
    switch (node.kind) {
      case "marker":
        this.#marker(node.tag);
        break;
      case "tag":
        this.#data += 1;
        if (node.parent?.name === "w:instrText") this.#fields.unknown();
        else this.#values.push({ tag: node, frame: this.#frame });
        break;
      case "text":
        if (node.parent?.name === "w:instrText") this.#fields.text(node);
        break;
      case "element":
        this.#element(node);
    }
  }

  #marker(tag: TagNode): void {
    const { kind } = tag.directive;
    this.#data += 1;
    this.#frame = frameAfter(tag, this.#frame);
    if (kind === "else" || kind === "elseif") return;
    const step = kind.startsWith("end") ? -1 : 1;
    this.#blocks += step;
    if (kind !== "if" && kind !== "endif") this.#repeats += step;
  }

  #element(element: ElementNode): void {
    const { name } = element;
    const frame = this.#frame;
    if (this.#isWhole(element)) this.#frame = frameIn(frame, null, this.#notes.frameOf(element));
    this.#enter(element);
    const ended = this.#fields.enter(element, () => this.#note(element));
    if (ended !== null) this.#fieldEnds(ended, null);
    if (name === "w:fldChar" || name === "w:fldSimple") this.#mayBeginIndex(element);
    for (const child of element.children) this.#node(child);
    const left = this.#fields.leave(element);
    if (left !== null) this.#fieldEnds(left, element);
    this.#leave(element);
    if (this.#isWhole(element)) this.#frame = frame;
  }

  /** Whether a document may omit the element as a whole. */
  #isWhole(element: ElementNode): boolean {
    switch (element.name) {
      case "w:footnote":
      case "w:endnote":
      case "w:comment":
        return true;
      case "w:tbl":
        return this.#hasMarkers && !hasFixedRow(element);
      case "w:tr":
        return this.#hasMarkers && !hasFixedCell(element);
      case "w:sdt":
        return this.#hasMarkers && !hasFixedContent(element);
      default:
        return false;
    }
  }

  #enter(element: ElementNode): void {
    this.#notes.add(element, this.#frame);
    switch (element.name) {
      case "w:p":
      case "w:tr":
        this.#moved ||= this.#blocks > 0;
        break;
      case "w:tbl":
        this.#tables.push({ formulas: [], data: this.#data });
        break;
      case "w:txbxContent":
        this.#boxes += 1;
        break;
      case "mc:Fallback":
        this.#copies += 1;
        break;
      case "w:footnoteReference":
      case "w:endnoteReference":
        this.#notesMoved ||= this.#blocks > 0;
        break;
      case "w:bookmarkStart":
        this.#bookmarkBegins(element);
        break;
      case "w:bookmarkEnd":
        this.#bookmarkEnds(element);
        break;
      case "w:name":
        // REF finds a form field by its name.
        if (element.parent?.name === "w:ffData") this.#define(attributeOf(element, "w:val"));
        break;
      case "w:hyperlink":
        this.#link(element);
    }
    if (element.tagged !== undefined) this.#data += 1;
  }

  #leave({ name }: ElementNode): void {
    if (name === "w:txbxContent") this.#boxes -= 1;
    else if (name === "mc:Fallback") this.#copies -= 1;
    else if (name === "w:tbl") {
      const table = this.#tables.pop();
      if (table !== undefined && table.data < this.#data) this.#formulas.push(...table.formulas);
    }
  }

  #note(element: ElementNode): FieldNote {
    const around = this.#fields.open.at(-1);
    const outer = around?.separate === null ? around : (around?.note.outer ?? null);
    const inResult = around !== undefined && around.separate !== null;
    const inField =
      outer !== null || (inResult && (around.note.inField || keywordOf(around) !== "HYPERLINK"));
    return {
      frame: this.#frame,
      inBlock: this.#blocks > 0,
      inBox: this.#boxes > 0,
      isCopy: this.#copies > 0,
      paragraph: closest(element, "w:p"),
      outer,
      inField,
    };
  }

  #bookmarkBegins(element: ElementNode): void {
    const name = attributeOf(element, "w:name");
    const { length: sequences } = this.#sequences;
    const { length: values } = this.#values;
    const place: BookmarkPlace = {
      element,
      name,
      tree: this.#tree,
      frame: this.#frame,
      isCopy: this.#copies > 0,
      moved: this.#moved || this.#blocks > 0,
      notesMoved: this.#notesMoved || this.#repeats > 0,
      holdsData: false,
      sequences: { from: sequences, to: sequences },
      values: { from: values, to: values },
    };
    this.#bookmarks.push(place);
    this.#begun.set(attributeOf(element, "w:id"), { place, data: this.#data });
  }

  #bookmarkEnds(element: ElementNode): void {
    const id = attributeOf(element, "w:id");
    const begun = this.#begun.get(id);
    if (begun === undefined) return;
    this.#begun.delete(id);
    begun.place.holdsData = begun.data < this.#data;
    begun.place.sequences.to = this.#sequences.length;
    begun.place.values.to = this.#values.length;
  }

  #link(element: ElementNode): void {
    if (element.tagged?.has("w:anchor") || / r:id="/.test(element.attributes)) return;
    const found = / w:anchor="([^"]+)"/.exec(element.attributes);
    const name = found?.[1] ?? "";
    const from = (found?.index ?? 0) + ' w:anchor="'.length;
    const sure = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
    const named = [{ name, from, to: from + name.length, sure }];
    this.#use(
      { field: null, shell: element, keyword: "", isLink: true, named },
      this.#note(element),
    );
  }

  #use(use: Omit<Use, "tree" | "note">, note: FieldNote): void {
    const named = use.named.filter(({ name }) => name !== "" && name.toLowerCase() !== TOP);
    if (named.length === 0) return;
    const [index] = this.#openIndexes.values();
    (index?.entries ?? this.#uses).push({ ...use, named, tree: this.#tree, note });
  }

  /**
   * Begins an index if the mark begins the result of an index field. From then on, references in this result are added
   * to the entries of the index.
   */
  #mayBeginIndex(mark: ElementNode): void {
    const field = this.#fields.open.at(-1);
    if (field === undefined || field.separate === null) return;
    if (field.begin !== mark && this.#fields.content[field.separate] !== mark) return;
    const keyword = keywordOf(field);
    if (!isIndexKeyword(keyword) || this.#openIndexes.has(field)) return;
    this.#openIndexes.set(field, { tree: this.#tree, field, keyword, entries: [] });
  }

  #fieldEnds(field: ReadField, shell: ElementNode | null): void {
    const index = this.#openIndexes.get(field);
    const keyword = keywordOf(field);
    if (index !== undefined) {
      this.#openIndexes.delete(field);
      this.#indexes.push(index);
      return;
    }
    const named = referencesIn(field.instruction).filter(({ name }) => !name.includes(UNKNOWN));
    if (keyword === "SEQ") this.#sequences.push(field);
    if (keyword === "STYLEREF") this.#styles.push(field);
    if (isComputed(field)) this.#computed.push(field);
    if (keyword === "=") this.#tables.at(-1)?.formulas.push(field);
    if (keyword === "SET" || keyword === "ASK") {
      this.#define(readInstruction(field.instruction).words[0]?.text ?? "");
    }
    const isLink = keyword === "HYPERLINK" || keyword === "GOTOBUTTON";
    const known = isKeyword(keyword) ? keyword : "REF";
    const use = { field, shell, keyword: known, isLink, named };
    if (isTaggedReference(field)) this.#tagged.push({ ...use, tree: this.#tree, note: field.note });
    this.#use(use, field.note);
  }

  #define(name: string): void {
    this.#defined.add(name.toLowerCase());
  }
}
