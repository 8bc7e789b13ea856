/** The start and the end of a tag. */
export interface Delimiters {
  /**
   * One to five characters, without letters, digits, underscores, spaces, quotes, backslashes, `<`, `>` and
   * `&`.
   */
  readonly start: string;
  /** Like `start`. Neither of the two may contain the other. */
  readonly end: string;
}

/** The default delimiters of a tag. */
export const DELIMITERS: Delimiters = { start: "{{", end: "}}" };

/** The delimiters of a template as an option; see `CompileOptions.delimiters`. */
export type DelimiterOption = Delimiters | "auto" | undefined;
