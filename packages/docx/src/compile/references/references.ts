import type { Diagnostic } from "@quire/contracts";
import type { Reference, TaggedNameOp } from "../../program/references.ts";
import type { SequenceOp } from "../../program/sequence-numbers.ts";
import type { NamedBookmark } from "../../template/fields/references.ts";
import type { ElementNode, TagNode, TextNode } from "../../template/nodes/nodes.ts";
import type { PartTree } from "../../template/tree.ts";
import type { ItemLinks } from "./item-links.ts";

/** An element to omit if its reference is lost. */
export interface Conditional {
  readonly reference: Reference;
  /** Whether this is the first element that belongs to the reference. */
  readonly first: boolean;
  /** The parts of the element that every document keeps. */
  readonly marks: readonly ElementNode[];
}

/** What the compiler knows about the references of a template. */
export interface References {
  /** Elements to omit if a reference is lost. */
  readonly conditional: ReadonlyMap<ElementNode, Conditional>;
  /** Elements to replace with their content if a reference is lost. */
  readonly shells: ReadonlyMap<ElementNode, Reference>;
  /** The bookmarks that instructions name. The key is the text of the instruction, or its `w:fldSimple`. */
  readonly names: ReadonlyMap<ElementNode | TextNode, readonly NamedBookmark[]>;
  /** The links between references and bookmarks in other loops. */
  readonly items: Pick<ItemLinks, "links" | "targets">;
  /**
   * References to bookmarks whose names have tags. The key is the element around the text of the reference or, for a
   * field between `w:fldChar` elements, the mark after its instruction.
   */
  readonly tagged: ReadonlyMap<ElementNode, TaggedNameOp>;
  /** Bookmarks that a document may omit although something refers to them. */
  readonly targets: ReadonlySet<ElementNode>;
  /**
   * The numbers that are computed for each document. The key is the text element that the number replaces; for a hidden
   * number, it is the mark that begins its field.
   */
  readonly sequences: ReadonlyMap<ElementNode, SequenceOp>;
  /** Tags that were removed from the results of fields because their names are unknown there. */
  readonly dropped: ReadonlySet<TagNode>;
  /** Parts that need a program, even without tags. */
  readonly changed: ReadonlySet<PartTree>;
  /** Warnings about the references of a part. */
  readonly warnings: ReadonlyMap<PartTree, readonly Diagnostic[]>;
}
