import type { Diagnostic } from "@quire/contracts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import type { Reference, TaggedNameOp } from "../../program/references.ts";
import type { SequenceOp } from "../../program/sequence-numbers.ts";
import { withEmptied } from "../../template/fields/field-stack.ts";
import {
  entriesOf,
  type IndexEntry,
  isBalanced,
  rangeMarksIn,
  tagInEntries,
} from "../../template/fields/index-entries.ts";
import { type NamedBookmark, withNames } from "../../template/fields/references.ts";
import {
  closest,
  type ElementNode,
  type TagNode,
  type TemplateNode,
  type TextNode,
} from "../../template/nodes/nodes.ts";
import { replaceAll } from "../../template/nodes/replace-all.ts";
import type { PartTree } from "../../template/tree.ts";
import { BookmarkPlaces } from "./bookmark-places.ts";
import { isWithin } from "./frames.ts";
import { ItemLinks, NO_LINKS } from "./item-links.ts";
import { NoteFrames } from "./note-frames.ts";
import {
  type IndexField,
  marksOfUse,
  type PartReferences,
  type ReadField,
  type Use,
} from "./part-references.ts";
import { readReferences } from "./read-references.ts";
import {
  brokenReference,
  originOfUse,
  type StaleCause,
  staleField,
  staleIndex,
} from "./reference-words.ts";
import type { Conditional, References } from "./references.ts";
import { changedSequences } from "./sequences.ts";
import {
  isNumberOfNote,
  isOfBookmark,
  isReference,
  isStale,
  staleStyles,
} from "./stale-results.ts";
import { taggedNames } from "./tagged-names.ts";
import { unknownResults } from "./unknown-results.ts";

/**
 * Finds the bookmarks of all references. A reference to a bookmark that does not exist becomes plain text immediately.
 * If a document may omit the bookmark, rendering decides. `others`: the names of bookmarks in parts that are copied
 * unchanged, in lowercase.
 */
export function settleReferences(
  trees: readonly PartTree[],
  others: ReadonlySet<string>,
  delimiters: Delimiters,
): References {
  const notes = new NoteFrames();
  const parts = trees.map((tree) => readReferences(tree, notes));
  const settler = new Settler(parts, others, delimiters);
  settler.settle();
  return settler;
}

class Settler implements References {
  readonly conditional = new Map<ElementNode, Conditional>();
  readonly shells = new Map<ElementNode, Reference>();
  readonly names = new Map<ElementNode | TextNode, NamedBookmark[]>();
  readonly items: ItemLinks;
  readonly tagged = new Map<ElementNode, TaggedNameOp>();
  readonly targets = new Set<ElementNode>();
  readonly sequences = new Map<ElementNode, SequenceOp>();
  readonly dropped = new Set<TagNode>();
  readonly changed = new Set<PartTree>();
  readonly warnings = new Map<PartTree, Diagnostic[]>();
  readonly #parts: readonly PartReferences[];
  readonly #others: ReadonlySet<string>;
  readonly #delimiters: Delimiters;
  readonly #bookmarks: BookmarkPlaces;
  readonly #watched = new Set<string>();
  readonly #defined: ReadonlySet<string>;
  /** Fields that `#compute` has already reported. */
  readonly #computed = new Set<ReadField>();
  /** Nodes of the trees to replace, with their replacements. */
  readonly #replaced = new Map<TemplateNode, readonly TemplateNode[]>();

  constructor(
    parts: readonly PartReferences[],
    others: ReadonlySet<string>,
    delimiters: Delimiters,
  ) {
    this.#parts = parts;
    this.#others = others;
    this.#delimiters = delimiters;
    this.#bookmarks = new BookmarkPlaces(parts.flatMap((part) => part.bookmarks));
    this.items = new ItemLinks(this.#bookmarks);
    this.#defined = new Set(parts.flatMap(({ defined }) => [...defined]));
  }

  settle(): void {
    this.#dropUnknown();
    for (const part of this.#parts) {
      this.#count(part);
      const { computed, formulas, tree } = part;
      for (const field of [...computed, ...formulas]) {
        if (isOfBookmark(field)) this.#update(field, tree, "data");
        else this.#compute(field, tree, "data");
      }
      for (const field of staleStyles(part)) this.#compute(field, tree, "blocks");
    }
    for (const part of this.#parts) {
      for (const use of part.uses) this.#use(use, part);
      for (const index of part.indexes) this.#index(index, part);
    }
    this.#checkTagged();
    replaceAll(this.#replaced);
  }

  /** Makes documents report names with tags that do not exist. */
  #checkTagged(): void {
    const known = [...this.#others, ...this.#defined];
    const { ops, names } = taggedNames(this.#parts, known, this.#delimiters);
    for (const [element, op] of ops) this.tagged.set(element, op);
    for (const name of names) this.#watch(name);
  }

  /** Removes tags that Word copied from a loop into results. Only Word can compute these results. */
  #dropUnknown(): void {
    for (const { field, part, tags } of unknownResults(this.#parts, this.items)) {
      for (const tag of tags) {
        this.dropped.add(tag);
        this.#replaced.set(tag, []);
      }
      this.#compute(field, part.tree, { tag: tags[0]?.text ?? "" });
    }
  }

  /** Computes the numbers that blocks change, or leaves them to Word. */
  #count(part: PartReferences): void {
    const { counted, others, all } = changedSequences(part);
    for (const [element, op] of counted) this.sequences.set(element, op);
    for (const field of others) this.#compute(field, part.tree, "blocks");
    // The fields are counted in advance. Each bookmark may contain all sequence fields, so counting them for each
    // bookmark would take too long.
    let count = 0;
    const before = [0, ...part.sequences.map((each) => (count += all.has(each) ? 1 : 0))];
    for (const bookmark of part.bookmarks) {
      const { from, to } = bookmark.sequences;
      bookmark.holdsData ||= before[from] !== before[to];
    }
  }

  /** Reports a field whose result depends on the data or on blocks, and that only Word computes. */
  #compute(field: ReadField, tree: PartTree, cause: StaleCause): void {
    if (this.#computed.has(field)) return;
    this.#computed.add(field);
    if (!field.note.isCopy) this.#warn(tree, staleField(field, { tree, cause }, this.#delimiters));
    this.#update(field, tree, cause);
  }

  /** Makes Word update a field when the document is opened, and also the field whose instruction contains it. */
  #update({ begin, note: { outer } }: ReadField, tree: PartTree, cause: StaleCause): void {
    begin.attributes = `${begin.attributes.replace(/ w:dirty="[^"]*"/, "")} w:dirty="true"`;
    if (outer !== null) this.#compute(outer, tree, cause);
    this.changed.add(tree);
  }

  /** Makes an index show the entries from the template, except entries whose heading is not in the document. */
  #index(index: IndexField, { content, moved }: PartReferences): void {
    const { field, tree, entries, keyword } = index;
    const tag = tagInEntries(field.begin);
    const uses = entries.map((use) => [use, this.#settle(use)] as const);
    const lost = uses.filter(([, doubtful]) => doubtful.length > 0);
    const isMoved = moved && keyword !== "BIBLIOGRAPHY";
    if (tag === null && !isMoved && lost.length === 0) return;
    this.#update(field, tree, "blocks");
    this.#warn(tree, staleIndex(index, tag, this.#delimiters));
    if (lost.length === 0) return;
    const names = Map.groupBy(lost, ([{ note }]) => note.paragraph);
    for (const entry of entriesOf(field, content)) {
      const [first] = entry.content;
      const own = names.get(first === undefined ? null : closest(first, "w:p")) ?? [];
      if (own.length > 0)
        this.#entry(
          entry,
          own.flatMap(([, doubtful]) => doubtful),
        );
    }
  }

  #entry({ whole, content }: IndexEntry, named: readonly NamedBookmark[]): void {
    const names = [...new Set(named.map(({ name }) => name))];
    const reference: Reference = { names, ...NO_LINKS, isLink: false, origin: null };
    if (whole !== null) {
      this.conditional.set(whole, { reference, first: true, marks: rangeMarksIn(whole) });
    } else if (isBalanced(content)) this.#leaveOut(reference, withEmptied(content));
  }

  #use(use: Use, { content }: PartReferences): void {
    if (use.named.some((each) => each.sure && !this.#isThere(each.name))) {
      if (!use.note.isCopy) this.#warn(use.tree, brokenReference(use, this.#delimiters));
      this.changed.add(use.tree);
      this.#unlink(use, content);
      return;
    }
    const doubtful = this.#settle(use);
    const bookmarks = use.named.flatMap(({ name }) => this.#bookmarks.named(name) ?? []);
    if (use.field !== null && isStale(use, bookmarks)) {
      const cause = bookmarks.some(({ holdsData }) => holdsData) ? "data" : "blocks";
      if (isReference(use.keyword)) this.#update(use.field, use.tree, cause);
      else this.#compute(use.field, use.tree, isNumberOfNote(use.keyword) ? "blocks" : "data");
    }
    if (doubtful.length > 0) this.#condition(use, doubtful, content);
  }

  /**
   * Resolves the names of a reference. Returns the names whose bookmarks a document may omit although it has the
   * reference.
   */
  #settle(use: Use): NamedBookmark[] {
    const named = use.named.flatMap((each) => this.#spelled(each));
    this.#rename(use, named);
    const doubtful = named.filter(({ name }) => !this.#isSafe(name, use));
    for (const { name } of doubtful) this.#watch(name);
    return doubtful;
  }

  /** Whether the template defines this name. */
  #isThere(name: string): boolean {
    const key = name.toLowerCase();
    return this.#bookmarks.of(key).length > 0 || this.#others.has(key) || this.#defined.has(key);
  }

  /** Returns the name with upper and lower case as in the bookmark; an empty list for an unknown bookmark. */
  #spelled(named: NamedBookmark): NamedBookmark[] {
    const bookmark = this.#bookmarks.named(named.name);
    return bookmark === null ? [] : [{ ...named, name: bookmark.name }];
  }

  /** Whether each document with the reference also has the bookmark, and no loop says that it means another item. */
  #isSafe(name: string, use: Use): boolean {
    if (this.#others.has(name.toLowerCase())) return true;
    const { frames } = this.#bookmarks.named(name) ?? {};
    if (frames === undefined || !isWithin(use.note.frame, frames)) return false;
    return this.items.resolve(name, use).link === null;
  }

  #watch(name: string): void {
    const key = name.toLowerCase();
    if (this.#watched.has(key)) return;
    this.#watched.add(key);
    for (const { element, tree } of this.#bookmarks.of(key)) {
      this.targets.add(element);
      this.changed.add(tree);
    }
  }

  /** Records where an instruction contains the names, because names differ between the iterations of a loop. */
  #rename({ field, shell }: Use, named: readonly NamedBookmark[]): void {
    if (named.length === 0) return;
    if (shell?.name === "w:fldSimple") this.names.set(shell, [...named]);
    if (shell?.name === "w:hyperlink") {
      shell.attributes = withNames(shell.attributes, named);
    }
    for (const { node, from } of shell === null ? (field?.texts ?? []) : []) {
      const within = named.filter((each) => each.from >= from && each.to <= from + node.xml.length);
      if (within.length === 0) continue;
      const moved = within.map((each) => ({ ...each, from: each.from - from, to: each.to - from }));
      this.names.set(node, moved);
    }
  }

  #condition(use: Use, named: readonly NamedBookmark[], content: readonly ElementNode[]): void {
    this.changed.add(use.tree);
    const names = [...new Set(named.map(({ name }) => name))];
    const origin = use.note.isCopy ? null : originOfUse(use, this.#delimiters);
    const { warnings, ...linked } = this.items.link(use, names, this.#delimiters);
    for (const warning of warnings) this.#warn(use.tree, warning);
    const reference: Reference = { names, ...linked, isLink: use.isLink, origin };
    if (use.shell !== null) this.shells.set(use.shell, reference);
    this.#leaveOut(reference, marksOfUse(use, content));
  }

  #leaveOut(reference: Reference, elements: readonly ElementNode[]): void {
    for (const [index, element] of elements.entries()) {
      this.conditional.set(element, { reference, first: index === 0, marks: [] });
    }
  }

  /** Turns a reference into plain text. */
  #unlink(use: Use, content: readonly ElementNode[]): void {
    for (const element of marksOfUse(use, content)) this.#replaced.set(element, []);
    if (use.shell !== null) this.#replaced.set(use.shell, use.shell.children);
  }

  #warn(tree: PartTree, warning: Diagnostic): void {
    const known = this.warnings.get(tree) ?? [];
    this.warnings.set(tree, known);
    known.push(warning);
  }
}
