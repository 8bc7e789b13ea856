import type { TagOrigin } from "./tag-ops.ts";

/** A field or a link that refers to bookmarks that a document may lack. */
export interface Reference {
  readonly names: readonly string[];
  readonly isLink: boolean;
  /** The origin with which to report a lost reference; null if another warning covers it. */
  readonly origin: TagOrigin | null;
}
