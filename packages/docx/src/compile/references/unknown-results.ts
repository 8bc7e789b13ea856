import { asksForLoop, type Expression, pathsOf } from "../../language/grammar/expression.ts";
import { resultOf } from "../../template/fields/field-stack.ts";
import { descendants, type TagNode } from "../../template/nodes/nodes.ts";
import type { Frame } from "./frames.ts";
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
 * known only in the loop. Notes are ignored, because a note may use the items of the loops around its reference.
 */
export function unknownResults(parts: readonly PartReferences[]): UnknownResult[] {
  const finder = new ResultFinder(parts);
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
  /** The bookmarks by their names in lowercase. */
  readonly #bookmarks: ReadonlyMap<string, BookmarkPlace[]>;
  /**
   * All tags outside the results of REF and STYLEREF fields, by their text; null until the first result with a tag is
   * found.
   */
  #sources: ReadonlyMap<string, Source[]> | null = null;
  #frames: ReadonlyMap<TagNode, Frame | null> = new Map();

  constructor(parts: readonly PartReferences[]) {
    this.#parts = parts;
    const bookmarks = parts.flatMap((part) => part.bookmarks);
    this.#bookmarks = Map.groupBy(bookmarks, ({ name }) => name.toLowerCase());
  }

  ofReference({ field, keyword, named }: Use, part: PartReferences): UnknownResult[] {
    if (field === null || keyword !== "REF") return [];
    const bookmarks = named.flatMap(({ name }) => this.#bookmarks.get(name.toLowerCase()) ?? []);
    const isIn = ({ part: { tree }, index }: Source): boolean =>
      bookmarks.some(
        (each) => each.tree === tree && index >= each.values.from && index < each.values.to,
      );
    const tags = tagsInResult(field, part).filter((tag) => this.#isUnknown(tag, isIn));
    return [{ field, part, tags }];
  }

  ofStyle(field: ReadField, part: PartReferences): UnknownResult[] {
    const tags = tagsInResult(field, part).filter((tag) => this.#isUnknown(tag, () => true));
    return [{ field, part, tags }];
  }

  /** Whether the tag has sources, and all of them are in loops that do not contain the tag. */
  #isUnknown(tag: TagNode, isSource: (source: Source) => boolean): boolean {
    if (tag.directive.kind !== "value") return false;
    const { expression } = tag.directive;
    this.#sources ??= this.#read();
    const frame = this.#frames.get(tag) ?? null;
    const sources = (this.#sources.get(tag.text) ?? []).filter(isSource);
    return sources.length > 0 && !sources.some((source) => isSame(expression, source.frame, frame));
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

/** Whether an expression means the same in two places: the same block defines each of its names. */
function isSame(expression: Expression, source: Frame | null, frame: Frame | null): boolean {
  const heads = pathsOf(expression).map(({ head }) => head);
  const names = asksForLoop(expression) ? [...heads, null] : heads;
  return names.every((name) => {
    const block = blockOf(name, source);
    return block === null || block === blockOf(name, frame);
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
