/** The first argument of `batch-child.ts`, as JSON. */
export interface BatchTask {
  /** The path of the template. */
  readonly template: string;
  /** The path of a JSON array that contains the data of each document. */
  readonly data: string;
}

/** Requests to the process: first `run`, then `write` the PDFs of some entries, as `0.pdf` and so on. */
export type BatchRequest =
  | { readonly do: "run" }
  | { readonly do: "write"; readonly entries: readonly number[]; readonly folder: string };

/** The answer to `run`. */
export interface BatchAnswer {
  readonly wallMs: number;
}
