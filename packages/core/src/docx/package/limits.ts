/**
 * What a template may take before it is refused. The largest of some 4,000 real documents had 356
 * parts, 19 MB in all, 13 MB and 370,000 elements of XML, a ratio of 224, 29 levels and 8 tables one
 * inside the other.
 */
export interface PackageLimits {
  /** Entries of the zip. Default 2,000. */
  readonly parts: number;
  /** Bytes of all entries when inflated. Default 200 million. */
  readonly totalBytes: number;
  /** Bytes of one entry when inflated. Default 100 million. */
  readonly partBytes: number;
  /**
   * Bytes of all parts with running text, and of those that tell of styles, lists and properties: they
   * are in memory several times over. Default 20 million.
   */
  readonly textBytes: number;
  /** Bytes of the content types and all relationships. Default 16 million. */
  readonly listBytes: number;
  /** Inflated to compressed bytes, for an entry of more than a million bytes. Default 1,000. */
  readonly ratio: number;
  /** Levels of elements. Default 128, and no more than that. */
  readonly depth: number;
  /** Tables, one inside the other: LibreOffice hangs with 100. Default 32. */
  readonly tableNesting: number;
  /**
   * Elements of all XML parts together; every four attributes or escaped characters of one count as
   * another. Default a million.
   */
  readonly elements: number;
  /**
   * Elements of all parts that hold tags, counted likewise: each becomes objects. Some 2,000 pages of
   * text. Default 250,000.
   */
  readonly taggedElements: number;
  /** Tags, counted by the characters that begin them. Default 20,000. */
  readonly tags: number;
}

/** The limits when nothing else is said. */
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
