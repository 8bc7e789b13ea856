import { BlockReader } from "./blocks.ts";
import type { EndEdit, Span } from "./entry-ends.ts";
import type { Section } from "./sections.ts";
import { TagReader } from "./tags.ts";

/** A part with running text: the main document, a header or a footer. Its XML has one character per byte. */
export interface Story {
  readonly xml: string;
  /** The range of the content in the XML. For the main document, it excludes the properties of the last section. */
  readonly start: number;
  readonly end: number;
  /** The differences between this story and its copy in the joined document, in order. */
  readonly edits: readonly Edit[];
  /** The numbers of the structural forms of the story, see `formOf`. */
  readonly forms: ReadonlySet<number>;
  /** The ids of the styles that the story uses. */
  readonly styles: ReadonlySet<string>;
  /** The ids of its relationships, and the elements that refer to them. */
  readonly relations: ReadonlyMap<string, string>;
  /** The sections of the main document. The last one belongs to the whole document. Empty for headers and footers. */
  readonly sections: readonly Section[];
  /** Whether the story shows the number of pages. */
  readonly countsPages: boolean;
  readonly tables: number;
  /** Number of cells in its tables. */
  readonly cells: number;
  /** Whether any of its content is kept together on a page or repeated on the next page. */
  readonly keeps: boolean;
  /** Whether paragraphs have borders or a background. */
  readonly borders: boolean;
}

/** A range in a story that is replaced in the joined document. */
export type Edit = Span &
  /** The start or end of a bookmark; both have the same `id`. */
  (
    | { readonly kind: "bookmark"; readonly starts: boolean; readonly id: string }
    | { readonly kind: "relation"; readonly id: string }
    | { readonly kind: "list"; readonly id: string }
    | { readonly kind: "page count" }
    | { readonly kind: "section"; readonly index: number }
    /** The position of the bookmark at the start of the entry. */
    | ({ readonly kind: "start" } & EndEdit)
    /**
     * The position of the bookmark at the end of the entry. `breaks` means that the end of the section also goes here,
     * not into a separate paragraph.
     */
    | ({ readonly kind: "end"; readonly breaks: boolean } & EndEdit)
  );

/** The readers for the stories of one group of documents. */
export interface StoryReaders {
  readonly tags: TagReader;
  readonly blocks: BlockReader;
}

/** Creates readers for one group. The readers cache XML that the documents of the group have in common. */
export function storyReaders(): StoryReaders {
  const tags = new TagReader();
  return { tags, blocks: new BlockReader(tags) };
}
