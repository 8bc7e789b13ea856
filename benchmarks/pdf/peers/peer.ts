/** A way to convert documents to PDF. The results page has a line for each one. */
export interface Peer {
  readonly name: string;
  readonly title: string;
  /** The program that runs the peer: `child.ts`, or `uno_child.py` with a Python that has LibreOffice's `uno`. */
  readonly runs: "node" | "python";
  /** Number of documents that the peer gets at the same time. */
  readonly inFlight: number;
  /** A round converts a multiple of this number of documents, so that it includes its share of periodic work. */
  readonly step: number;
  /** Minimum number of documents, as a multiple of the minimum for peers that start a LibreOffice per document. */
  readonly pace: number;
}

/** The first argument of a peer's process, as JSON. */
export interface PeerTask {
  readonly peer: string;
  /** The paths of documents, which are converted in turn. */
  readonly documents: readonly string[];
  /** An empty folder for the peer's files. */
  readonly folder: string;
  /** LibreOffice's launcher. The program itself, `soffice.bin`, is in the same folder. */
  readonly soffice: string;
  readonly inFlight: number;
  readonly step: number;
}

/** Requests to the process, each a line of JSON. */
export type PeerRequest =
  | {
      readonly do: "convert";
      /** The number of the first document. */
      readonly from: number;
      /** Minimum number of documents, even if they take longer than `windowMs`. */
      readonly fewest: number;
      /** Wall time in milliseconds. */
      readonly windowMs: number;
    }
  /** Converts the first document and keeps the PDF. */
  | { readonly do: "save"; readonly file: string };

/** The answer to `convert`. */
export interface Window {
  readonly wallMs: number;
  /** Latencies of the documents in milliseconds, in the order of completion. */
  readonly latenciesMs: readonly number[];
}
