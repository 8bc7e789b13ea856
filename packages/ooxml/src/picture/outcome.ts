/** The result, or the reason for a failure, which completes a sentence that begins with "The value". */
export type Outcome<T> = T | { readonly problem: string };

/** What the file of an image declares. A value is null if the file does not have it. */
export interface RasterFacts {
  /** In pixels, as stored. */
  readonly width: number;
  /** In pixels, as stored. */
  readonly height: number;
  readonly dpi: Resolution | null;
  /** The EXIF orientation, 1 to 8. */
  readonly orientation: number | null;
}

/** Dots per inch along the stored rows and columns. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}
