/** The start and the end of a tag. */
export interface Delimiters {
  /**
   * One to five characters. ASCII letters and digits, underscores, spaces, straight quotes, backslashes, `<`, `>` and
   * `&` are not allowed.
   */
  readonly start: string;
  /** Like `start`. Neither of the two may contain the other. */
  readonly end: string;
}

/** The default delimiters of a tag. */
export const DELIMITERS: Delimiters = { start: "{{", end: "}}" };

/** The value of the option that sets the delimiters of a template; see `CompileOptions.delimiters`. */
export type DelimiterOption = Delimiters | "auto" | undefined;
