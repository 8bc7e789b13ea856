/** What was wanted, or why it is not to be had: the end of a sentence "The value … ". */
export type Outcome<T> = T | { readonly problem: string };

/** What the file of an image of one format tells; null where it is silent. */
export interface RasterFacts {
  /** In pixels, as stored. */
  readonly width: number;
  /** In pixels, as stored. */
  readonly height: number;
  readonly dpi: Resolution | null;
  /** As EXIF counts it, 1 to 8. */
  readonly orientation: number | null;
}

/** Dots per inch along the stored rows and columns. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}
