import { marksOf, type OpenField, withEmptied } from "../../template/fields/field-stack.ts";
import type { NamedBookmark } from "../../template/fields/references.ts";
import type { ElementNode, TagNode } from "../../template/nodes/nodes.ts";
import type { PartTree } from "../../template/tree.ts";
import type { Frame } from "./frames.ts";

/** The position of a field in its part. */
export interface FieldNote {
  readonly frame: Frame | null;
  readonly inBlock: boolean;
  /** Whether the field is in a text box. */
  readonly inBox: boolean;
  /** Whether the field is in the copy of a text box for old programs. */
  readonly isCopy: boolean;
  readonly paragraph: ElementNode | null;
  /** The field whose instruction contains this field. */
  readonly outer: ReadField | null;
  /**
   * Whether the field is in another field, except a link. The outer field may show the result once, several times or
   * not at all.
   */
  readonly inField: boolean;
}

export type ReadField = OpenField<FieldNote>;

/** A bookmark of the template. */
export interface BookmarkPlace {
  readonly element: ElementNode;
  readonly name: string;
  readonly tree: PartTree;
  readonly frame: Frame | null;
  /** Whether the bookmark is in the copy of a text box for old programs. */
  readonly isCopy: boolean;
  /** Whether a block may add or remove paragraphs before or around the bookmark. */
  readonly moved: boolean;
  /** Whether a block may add or remove notes before the bookmark, or repeat the bookmark. */
  readonly notesMoved: boolean;
  /** Whether the content of the bookmark has tags or blocks. */
  holdsData: boolean;
  /** The sequence fields in the bookmark, as indexes of {@link PartReferences.sequences}. */
  readonly sequences: { readonly from: number; to: number };
  /** The tags in the bookmark that print values, as indexes of {@link PartReferences.values}. */
  readonly values: { readonly from: number; to: number };
}

/** A tag that prints a value, and the frame around it. */
export interface PlacedValue {
  readonly tag: TagNode;
  readonly frame: Frame | null;
}

/** A field or a link that refers to bookmarks. */
export interface Use {
  readonly tree: PartTree;
  /** The field; null for a link element. */
  readonly field: ReadField | null;
  /** The element around the text of the reference; null for a field between `w:fldChar` elements. */
  readonly shell: ElementNode | null;
  readonly keyword: string;
  readonly isLink: boolean;
  readonly named: readonly NamedBookmark[];
  readonly note: FieldNote;
}

/** A field that refers to a bookmark whose name has tags. */
export type TaggedUse = Pick<Use, "tree" | "shell" | "isLink" | "note"> & {
  readonly field: ReadField;
};

/** A table of contents or another index. */
export interface IndexField {
  readonly tree: PartTree;
  readonly field: ReadField;
  readonly keyword: string;
  /** The references in the result of the index. */
  readonly entries: Use[];
}

/** The bookmarks of a part, and its fields that depend on the rest of the document. */
export interface PartReferences {
  readonly tree: PartTree;
  /** The content of runs inside fields: see `FieldStack.content`. */
  readonly content: readonly ElementNode[];
  readonly bookmarks: readonly BookmarkPlace[];
  /** The tags in the running text that print values, in document order. */
  readonly values: readonly PlacedValue[];
  readonly uses: readonly Use[];
  readonly indexes: readonly IndexField[];
  readonly sequences: readonly ReadField[];
  /** Formulas in tables with tags. */
  readonly formulas: readonly ReadField[];
  /** STYLEREF fields, which show the nearest text in a style. */
  readonly styles: readonly ReadField[];
  /** References to bookmarks whose names have tags. */
  readonly tagged: readonly TaggedUse[];
  /** Fields whose results depend on tags in their instructions. */
  readonly computed: readonly ReadField[];
  /** Names that fields define, in lower case. */
  readonly defined: ReadonlySet<string>;
  /** Whether blocks may add or remove paragraphs. */
  readonly moved: boolean;
}

/** Returns the marks and the instruction of a field, and the runs that contain nothing else. */
export function marksOfUse({ field }: Use, content: readonly ElementNode[]): ElementNode[] {
  if (field === null) return [];
  const { head, tail } = marksOf(field, content);
  return withEmptied([...head, ...tail]);
}
