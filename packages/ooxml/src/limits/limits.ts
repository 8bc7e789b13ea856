/**
 * Limits for a template; larger templates are rejected. The highest values in about 4,000 real documents were 356
 * parts, 19 MB in total, 13 MB of XML, 370,000 elements, a ratio of 224, 29 levels of elements and 8 nested tables.
 */
export interface PackageLimits {
  /** Number of zip entries. Default 2,000. */
  readonly parts: number;
  /** Total bytes of all entries after unpacking. Default 200 million. */
  readonly totalBytes: number;
  /** Bytes of one entry after unpacking. Default 100 million. */
  readonly partBytes: number;
  /**
   * Total bytes of all parts with running text, styles, lists and properties, of which several copies are in
   * memory. Default 20 million.
   */
  readonly textBytes: number;
  /** Total bytes of the content types and all relationships. Default 16 million. */
  readonly listBytes: number;
  /** Ratio of unpacked to compressed bytes, for entries of more than a million bytes. Default 1,000. */
  readonly ratio: number;
  /** Levels of elements. Default 128, which is also the maximum. */
  readonly depth: number;
  /** Nested tables. LibreOffice hangs with 100. Default 32. */
  readonly tableNesting: number;
  /**
   * Total elements of all XML parts. Every four attributes or escaped characters of an element count as another
   * element. Default a million.
   */
  readonly elements: number;
  /**
   * Total elements of all parts with tags, counted in the same way: each element becomes an object. The default of
   * 250,000 corresponds to about 2,000 pages of text.
   */
  readonly taggedElements: number;
  /** Number of tags, counted by the characters that begin them. Default 20,000. */
  readonly tags: number;
}

/** The default limits. */
export const DEFAULT_LIMITS: PackageLimits = {
  parts: 2_000,
  totalBytes: 200_000_000,
  partBytes: 100_000_000,
  textBytes: 20_000_000,
  listBytes: 16_000_000,
  ratio: 1_000,
  depth: 128,
  tableNesting: 32,
  elements: 1_000_000,
  taggedElements: 250_000,
  tags: 20_000,
};

/** The limits of documents that Quire rendered: their size was limited when they were rendered. */
export const RENDERED_LIMITS: PackageLimits = {
  ...DEFAULT_LIMITS,
  parts: Number.POSITIVE_INFINITY,
  totalBytes: Number.POSITIVE_INFINITY,
  partBytes: Number.POSITIVE_INFINITY,
  listBytes: Number.POSITIVE_INFINITY,
};
