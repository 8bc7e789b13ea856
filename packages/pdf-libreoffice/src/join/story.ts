import { BlockReader } from "./blocks.ts";
import type { EndEdit, Span } from "./entry-ends.ts";
import type { Section } from "./sections.ts";
import { TagReader } from "./tags.ts";

/** A part with running text: the main document, a header or a footer. Its XML is bytes, one a character. */
export interface Story {
  readonly xml: string;
  /** Where what it holds stands in its XML; of the main document without the last section's properties. */
  readonly start: number;
  readonly end: number;
  /** What a joined document has otherwise, in order. */
  readonly edits: readonly Edit[];
  /** What it is made of. */
  readonly forms: ReadonlySet<number>;
  /** The ids of the styles that it names. */
  readonly styles: ReadonlySet<string>;
  /** The ids of its relationships, and the elements that refer to them. */
  readonly relations: ReadonlyMap<string, string>;
  /** Of the main document: the last one is that of the whole document. */
  readonly sections: readonly Section[];
  /** Whether it tells how many pages there are. */
  readonly countsPages: boolean;
  readonly tables: number;
  /** How many cells its tables have. */
  readonly cells: number;
  /** Whether something in it must stay together on a page, or come again on the next one. */
  readonly keeps: boolean;
  /** Whether paragraphs have borders or a background. */
  readonly borders: boolean;
}

/** A place in a story that a joined document has otherwise; `start` to `end` is what is replaced. */
export type Edit = Span &
  /** The start or end of a bookmark, with the number by which they belong together. */
  (
    | { readonly kind: "bookmark"; readonly starts: boolean; readonly id: string }
    | { readonly kind: "relation"; readonly id: string }
    | { readonly kind: "list"; readonly id: string }
    | { readonly kind: "page count" }
    | { readonly kind: "section"; readonly index: number }
    /** Where the bookmark at the start of the entry goes. */
    | ({ readonly kind: "start" } & EndEdit)
    /**
     * Where the bookmark at the end of the entry goes; `breaks`: what ends its section goes there, too, not
     * into a paragraph of its own.
     */
    | ({ readonly kind: "end"; readonly breaks: boolean } & EndEdit)
  );

/** What reads the stories of one group of documents. */
export interface StoryReaders {
  readonly tags: TagReader;
  readonly blocks: BlockReader;
}

/** Readers for one group: they keep what its documents have in common. */
export function storyReaders(): StoryReaders {
  const tags = new TagReader();
  return { tags, blocks: new BlockReader(tags) };
}
