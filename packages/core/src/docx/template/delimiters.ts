/** What begins and what ends a tag. */
export interface Delimiters {
  readonly start: string;
  readonly end: string;
}

/** The delimiters of a tag, unless the caller names others. */
export const DELIMITERS: Delimiters = { start: "{{", end: "}}" };
