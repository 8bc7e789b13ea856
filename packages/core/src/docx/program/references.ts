import type { Diagnostic } from "../../errors.ts";
import type { Delimiters } from "../template/delimiters.ts";
import { marksOf } from "../template/field-stack.ts";
import {
  detach,
  type ElementNode,
  indexInParent,
  insertAt,
  type TextNode,
} from "../template/nodes.ts";
import { type NamedBookmark, withNames } from "../template/references.ts";
import type { PartTree } from "../template/tree.ts";
import { isWithin } from "./frames.ts";
import type { Reference } from "./ops.ts";
import type { BookmarkPlace, PartReferences, Use } from "./part-references.ts";
import { readReferences } from "./read-references.ts";
import { brokenReference, originOfUse } from "./reference-words.ts";

/** An element that is left out when its reference is lost. */
export interface Conditional {
  readonly reference: Reference;
  /** Whether it is the first element of its reference. */
  readonly first: boolean;
}

/** What the compiler knows about the references of a template. */
export interface References {
  /** Elements to leave out when a reference is lost. */
  readonly conditional: ReadonlyMap<ElementNode, Conditional>;
  /** Elements to replace with their content when a reference is lost. */
  readonly shells: ReadonlyMap<ElementNode, Reference>;
  /** The bookmarks that instructions name, by the text or the `w:fldSimple` of the instruction. */
  readonly names: ReadonlyMap<ElementNode | TextNode, readonly NamedBookmark[]>;
  /** Bookmarks that a document may lack although something refers to them. */
  readonly targets: ReadonlySet<ElementNode>;
  /** Parts that need a program, even without tags. */
  readonly changed: ReadonlySet<PartTree>;
  /** Warnings about the references of a part. */
  readonly warnings: ReadonlyMap<PartTree, readonly Diagnostic[]>;
}

/**
 * Finds the bookmarks of all references. A reference without a bookmark becomes plain text at once; one whose bookmark
 * may be left out is decided in each document. `others` are the bookmarks of parts that are copied as they are, in
 * lower case.
 */
export function settleReferences(
  trees: readonly PartTree[],
  others: ReadonlySet<string>,
  delimiters: Delimiters,
): References {
  const settler = new Settler(trees.map(readReferences), others, delimiters);
  settler.settle();
  return settler;
}

class Settler implements References {
  readonly conditional = new Map<ElementNode, Conditional>();
  readonly shells = new Map<ElementNode, Reference>();
  readonly names = new Map<ElementNode | TextNode, NamedBookmark[]>();
  readonly targets = new Set<ElementNode>();
  readonly changed = new Set<PartTree>();
  readonly warnings = new Map<PartTree, Diagnostic[]>();
  readonly #parts: readonly PartReferences[];
  readonly #others: ReadonlySet<string>;
  readonly #delimiters: Delimiters;
  /** By their names in lower case, as Word compares them. */
  readonly #bookmarks: ReadonlyMap<string, BookmarkPlace[]>;
  readonly #defined: ReadonlySet<string>;

  constructor(
    parts: readonly PartReferences[],
    others: ReadonlySet<string>,
    delimiters: Delimiters,
  ) {
    this.#parts = parts;
    this.#others = others;
    this.#delimiters = delimiters;
    const bookmarks = parts.flatMap((part) => part.bookmarks);
    this.#bookmarks = Map.groupBy(bookmarks, ({ name }) => name.toLowerCase());
    this.#defined = new Set(parts.flatMap(({ defined }) => [...defined]));
  }

  settle(): void {
    for (const part of this.#parts) for (const use of part.uses) this.#use(use, part);
  }

  #use(use: Use, { content }: PartReferences): void {
    const named = use.named.flatMap((each) => this.#known(each));
    if (use.named.some((each) => each.sure && !this.#isThere(each.name))) {
      this.#warn(use);
      this.changed.add(use.tree);
      unlink(use, content);
      return;
    }
    this.#rename(use, named);
    const doubtful = named.filter(({ name }) => !this.#isSafe(name, use));
    if (doubtful.length === 0) return;
    this.changed.add(use.tree);
    for (const { name } of doubtful) this.#watch(name);
    this.#condition(use, doubtful, content);
  }

  /** Whether the template has this name. */
  #isThere(name: string): boolean {
    const key = name.toLowerCase();
    return this.#bookmarks.has(key) || this.#others.has(key) || this.#defined.has(key);
  }

  /** The name with the case of the bookmark; nothing when there is no such bookmark. */
  #known(named: NamedBookmark): NamedBookmark[] {
    const [found] = this.#bookmarks.get(named.name.toLowerCase()) ?? [];
    return found === undefined ? [] : [{ ...named, name: found.name }];
  }

  /** Whether each document with the reference also has the bookmark. */
  #isSafe(name: string, { note }: Use): boolean {
    const key = name.toLowerCase();
    const places = this.#bookmarks.get(key) ?? [];
    return this.#others.has(key) || places.some(({ frame }) => isWithin(note.frame, frame));
  }

  #watch(name: string): void {
    for (const { element, tree } of this.#bookmarks.get(name.toLowerCase()) ?? []) {
      this.targets.add(element);
      this.changed.add(tree);
    }
  }

  /** Keeps the positions of the names, since turns of a loop have other names. */
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
    const names = [...new Set(named.map(({ name }) => name))];
    const origin = use.note.isCopy ? null : originOfUse(use, this.#delimiters);
    const reference: Reference = { names, isLink: use.isLink, origin };
    if (use.shell !== null) this.shells.set(use.shell, reference);
    let first = true;
    for (const element of marks(use, content)) {
      this.conditional.set(element, { reference, first });
      first = false;
    }
  }

  #warn(use: Use): void {
    if (use.note.isCopy) return;
    const known = this.warnings.get(use.tree) ?? [];
    this.warnings.set(use.tree, known);
    known.push(brokenReference(use, this.#delimiters));
  }
}

/** The marks and the instruction of a field: whole runs where a run has nothing else. */
function marks({ field }: Use, content: readonly ElementNode[]): ElementNode[] {
  if (field === null) return [];
  const { head, tail } = marksOf(field, content);
  const all = new Set([...head, ...tail]);
  const found = new Set<ElementNode>();
  for (const element of all) {
    const run = element.parent;
    const isWhole = run?.children.every(
      (child) => child.kind === "element" && (child.name === "w:rPr" || all.has(child)),
    );
    found.add(run !== null && isWhole ? run : element);
  }
  return [...found];
}

/** Makes plain text of a reference. */
function unlink(use: Use, content: readonly ElementNode[]): void {
  for (const element of marks(use, content)) detach(element);
  const { shell } = use;
  if (shell === null || shell.parent === null) return;
  const { parent } = shell;
  const index = indexInParent(shell);
  detach(shell);
  insertAt(parent, index, ...shell.children);
}
