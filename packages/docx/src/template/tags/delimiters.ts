/** The start and the end of a tag. */
export interface Delimiters {
  readonly start: string;
  readonly end: string;
}

/** The default delimiters of a tag. */
export const DELIMITERS: Delimiters = { start: "{{", end: "}}" };
