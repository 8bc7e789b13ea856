import type { Diagnostic } from "@quire/contracts";
import type { PathExpression } from "../language/grammar/expression.ts";
import type { TagOrigin } from "./tag-ops.ts";

/** A block whose iterations a reference and its bookmark have in common, although they are in different loops. */
export interface ItemBlock {
  /** The path of the block's list: see `Scope.path`. */
  readonly path: PathExpression;
  /**
   * How to recognize an item: by its index in the list that both blocks begin with, or by the object itself if the
   * blocks read it from different lists.
   */
  readonly by: "index" | "object";
}

/** Makes a reference in one loop lead to the bookmark of the same items in another loop. */
export interface ItemLink {
  /** Links to the same bookmark with the same id compare the items of the same blocks around the bookmark. */
  readonly id: string;
  /** The blocks around the reference, in the order of those in the {@link ItemTarget} with the same id. */
  readonly blocks: readonly ItemBlock[];
  /** The paths of all blocks around the bookmark, without those that contain both and mean the same item for both. */
  readonly inside: ReadonlySet<PathExpression>;
}

/** The other end of an {@link ItemLink}, at the bookmark. */
export type ItemTarget = ItemLink;

/** A field or a link that refers to bookmarks that a document may lack. */
export interface Reference {
  readonly names: readonly string[];
  /** The links to bookmarks in other loops over the same list, by the names of the bookmarks. */
  readonly links: ReadonlyMap<string, ItemLink>;
  readonly isLink: boolean;
  /** Sections that may repeat the reference and its bookmark independently of each other; otherwise null. */
  readonly unlike: UnlikeSections | null;
  /** The origin with which to report a lost reference; null if another warning covers it. */
  readonly origin: TagOrigin | null;
}

/** Blocks around a reference, and how to report that they repeat it while other blocks repeat its bookmark. */
export interface UnlikeSections {
  /** The paths of the blocks. */
  readonly around: ReadonlySet<PathExpression>;
  readonly problem: Pick<Diagnostic, "severity" | "code" | "message" | "hint">;
}

/** The bookmarks of a template, and other names to which fields may refer, in lowercase. */
export interface TemplateNames {
  /** The names that every document has. */
  readonly certain: ReadonlySet<string>;
  /** The names of bookmarks that a document may omit, as written. */
  readonly doubtful: ReadonlyMap<string, string>;
}

/** Comes after the name of a bookmark with tags in it. Reports a name that the document does not have. Writes nothing. */
export interface TaggedNameOp {
  readonly op: "taggedName";
  readonly origin: TagOrigin;
  readonly isLink: boolean;
  readonly names: TemplateNames;
}
