/** One cause of an error, with an example. */
export interface ErrorCase {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The cause. Backticks enclose code. */
  readonly when: string;
  /** What the reader can do now. */
  readonly remedy: string;
  /** The message of the example. */
  readonly message: string;
  /** `context_info` of the example. */
  readonly context: Readonly<Record<string, unknown>> | null;
}

/** The documentation of an error code. */
export interface CodePage {
  /** One or more sentences. Backticks enclose code. */
  readonly meaning: string;
  /** Empty for codes of the contract's list that no error of this service has. */
  readonly cases: readonly ErrorCase[];
}
