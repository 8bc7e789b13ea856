/** A way of turning documents into PDF: what the page has a line for. */
export interface Peer {
  readonly name: string;
  readonly title: string;
  /** What runs it: `child.ts`, or `uno_child.py` with a Python that has LibreOffice's `uno`. */
  readonly runs: "node" | "python";
  /** The documents that it is given at the same time. */
  readonly inFlight: number;
  /** Documents are taken in multiples of this, so that each round has its share of what comes that often. */
  readonly step: number;
  /** How many documents it is given at least, for each one of those that take a new LibreOffice. */
  readonly pace: number;
}

/** What the process of a peer gets as its first argument, as JSON. */
export interface PeerTask {
  readonly peer: string;
  /** Files with documents, which are taken in turn. */
  readonly documents: readonly string[];
  /** An empty folder for whatever it needs. */
  readonly folder: string;
  /** LibreOffice's launcher. The program itself, `soffice.bin`, lies beside it. */
  readonly soffice: string;
  readonly inFlight: number;
  readonly step: number;
}

/** What is asked of that process, a line of JSON each. */
export type PeerRequest =
  | {
      readonly do: "convert";
      /** The number of the first document. */
      readonly from: number;
      /** Documents that are converted even when they take longer than the window. */
      readonly fewest: number;
      /** Wall time. */
      readonly windowMs: number;
    }
  /** Converts the first document and leaves the PDF. */
  | { readonly do: "save"; readonly file: string };

/** What it answers to `convert`. */
export interface Window {
  readonly wallMs: number;
  /** Of each document, in the order in which they were finished. */
  readonly latenciesMs: readonly number[];
}
