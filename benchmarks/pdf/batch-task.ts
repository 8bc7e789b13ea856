/** The first argument of `batch-child.ts`, as JSON. */
export interface BatchTask {
  /** The file of the template. */
  readonly template: string;
  /** A file with a JSON array: the data of each document. */
  readonly data: string;
}

/** Requests to the process: first to run, then to write the PDFs of some entries, named `0.pdf` and so on. */
export type BatchRequest =
  | { readonly do: "run" }
  | { readonly do: "write"; readonly entries: readonly number[]; readonly folder: string };

/** The answer to `run`. */
export interface BatchAnswer {
  readonly wallMs: number;
}
