/** What `batch-child.ts` gets as its first argument, as JSON. */
export interface BatchTask {
  /** The file of the template. */
  readonly template: string;
  /** A file with a JSON array: the data of each document. */
  readonly data: string;
}

/** What is asked of it: first to run, then to write PDFs of some entries, from 0, as `0.pdf` and so on. */
export type BatchRequest =
  | { readonly do: "run" }
  | { readonly do: "write"; readonly entries: readonly number[]; readonly folder: string };

/** What it answers to `run`. */
export interface BatchAnswer {
  readonly wallMs: number;
}
