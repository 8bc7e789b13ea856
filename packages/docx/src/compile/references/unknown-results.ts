import { asksForLoop, type Expression, pathsOf } from "../../language/grammar/expression.ts";
import { resultOf } from "../../template/fields/field-stack.ts";
import { descendants, type TagNode } from "../../template/nodes/nodes.ts";
import type { Frame } from "./frames.ts";
import type { ItemLinks } from "./item-links.ts";
import type {
  BookmarkPlace,
  PartReferences,
  PlacedValue,
  ReadField,
  Use,
} from "./part-references.ts";

/** A field whose result has tags with unknown names. */
export interface UnknownResult {
  readonly field: ReadField;
  readonly part: PartReferences;
  readonly tags: readonly TagNode[];
}

/**
 * Finds tags that Word copied from a loop into the results of REF and STYLEREF fields outside the loop: their names are
 * known only in the loop, and in loops in which the reference leads to the bookmark of the same item. Notes are ignored,
 * because a note may use the items of the loops around its reference.
 */
export function unknownResults(
  parts: readonly PartReferences[],
  items: ItemLinks,
): UnknownResult[] {
  const finder = new ResultFinder(parts, items);
  return parts
    .filter(({ tree }) => !NOTES.has(tree.root.name))
    .flatMap((part) => [
      ...part.uses.flatMap((use) => finder.ofReference(use, part)),
      ...part.styles.flatMap((field) => finder.ofStyle(field, part)),
    ])
    .filter(({ tags }) => tags.length > 0);
}

const NOTES: ReadonlySet<string> = new Set(["w:footnotes", "w:endnotes", "w:comments"]);

/** A tag outside the results of fields, which Word may have copied into a result. */
interface Source extends PlacedValue {
  readonly part: PartReferences;
  /** The index of the tag in {@link PartReferences.values}. */
  readonly index: number;
}

class ResultFinder {
  readonly #parts: readonly PartReferences[];
  readonly #items: ItemLinks;
  /** The bookmarks by their names in lowercase. */
  readonly #bookmarks: ReadonlyMap<string, BookmarkPlace[]>;
  /**
   * All tags outside the results of REF and STYLEREF fields, by their text; null until the first result with a tag is
   * found.
   */
  #sources: ReadonlyMap<string, Source[]> | null = null;
  #frames: ReadonlyMap<TagNode, Frame | null> = new Map();

  constructor(parts: readonly PartReferences[], items: ItemLinks) {
    this.#parts = parts;
    this.#items = items;
    const bookmarks = parts.flatMap((part) => part.bookmarks);
    this.#bookmarks = Map.groupBy(bookmarks, ({ name }) => name.toLowerCase());
  }

  ofReference(use: Use, part: PartReferences): UnknownResult[] {
    const { field, keyword, named } = use;
    if (field === null || keyword !== "REF") return [];
    const bookmarks = named.flatMap(({ name }) => this.#bookmarks.get(name.toLowerCase()) ?? []);
    const isIn = ({ part: { tree }, index }: Source): boolean =>
      bookmarks.some(
        (each) => each.tree === tree && index >= each.values.from && index < each.values.to,
      );
    const inResult = tagsInResult(field, part);
    if (inResult.length === 0) return [];
    const pairs = named.flatMap(({ name }) => this.#items.resolve(name, use).pairs);
    const isSame: SameBlock = (block, other) =>
      block === other ||
      pairs.some(
        ({ ofBookmark, ofReference }) => ofBookmark.tag === block && ofReference.tag === other,
      );
    const tags = inResult.filter((tag) => this.#isUnknown(tag, isIn, isSame));
    return [{ field, part, tags }];
  }

  ofStyle(field: ReadField, part: PartReferences): UnknownResult[] {
    const tags = tagsInResult(field, part).filter((tag) => this.#isUnknown(tag, () => true));
    return [{ field, part, tags }];
  }

  /** Whether the tag has sources, and all of them are in loops that do not contain the tag. */
  #isUnknown(
    tag: TagNode,
    isSource: (source: Source) => boolean,
    isSameBlock: SameBlock = (block, other) => block === other,
  ): boolean {
    if (tag.directive.kind !== "value") return false;
    const { expression } = tag.directive;
    this.#sources ??= this.#read();
    const frame = this.#frames.get(tag) ?? null;
    const sources = (this.#sources.get(tag.text) ?? []).filter(isSource);
    const isKnown = (source: Source): boolean =>
      isSame(expression, source.frame, frame, isSameBlock);
    return sources.length > 0 && !sources.some(isKnown);
  }

  #read(): ReadonlyMap<string, Source[]> {
    const copies = new Set<TagNode>();
    for (const part of this.#parts) {
      const references = part.uses.filter(({ keyword }) => keyword === "REF");
      for (const field of [...references.map((use) => use.field), ...part.styles]) {
        if (field !== null) for (const tag of tagsInResult(field, part)) copies.add(tag);
      }
    }
    const values = this.#parts.flatMap((part) =>
      part.values.map((value, index): Source => ({ ...value, part, index })),
    );
    this.#frames = new Map(values.map(({ tag, frame }) => [tag, frame]));
    return Map.groupBy(
      values.filter(({ tag }) => !copies.has(tag)),
      ({ tag }) => tag.text,
    );
  }
}

function tagsInResult(field: ReadField, { content }: PartReferences): TagNode[] {
  return resultOf(field, content)
    .flatMap((element) => [...descendants(element)])
    .filter((node) => node.kind === "tag");
}

/** Compares a block around the source of a tag with a block around its copy. */
type SameBlock = (block: TagNode | null, other: TagNode | null) => boolean;

/** Whether an expression means the same in two places: the same block defines each of its names. */
function isSame(
  expression: Expression,
  source: Frame | null,
  frame: Frame | null,
  isSameBlock: SameBlock,
): boolean {
  const heads = pathsOf(expression).map(({ head }) => head);
  const names = asksForLoop(expression) ? [...heads, null] : heads;
  return names.every((name) => {
    const block = blockOf(name, source);
    return block === null || isSameBlock(block, blockOf(name, frame));
  });
}

/**
 * Returns the innermost block that may define a name; null for a name of the data. If `name` is null, returns the
 * innermost block with an item.
 */
function blockOf(name: string | null, frame: Frame | null): TagNode | null {
  for (let at = frame; at !== null; at = at.outer) {
    const directive = at.tag?.directive;
    switch (directive?.kind) {
      case "for":
      case "tablerow":
      case "tablecolumn":
        if (name === null || name === directive.alias) return at.tag;
        break;
      case "section":
        if (!directive.inverted) return at.tag;
    }
  }
  return null;
}
