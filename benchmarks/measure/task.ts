/** A task for a process, passed as JSON in the first argument. */
export type Task = DocumentsTask | SpeedTask | RowsTask | SeriesTask | BatchTask;

/** An engine and a template in its syntax. */
interface WithTemplate {
  readonly engine: string;
  /** The path of the template. */
  readonly template: string;
}

/** Adds `data`, the path of a JSON array of data sets. */
interface WithData extends WithTemplate {
  readonly data: string;
}

/** Writes the documents of the first data sets into a folder, as `0.docx` and so on. */
export interface DocumentsTask extends WithData {
  readonly task: "documents";
  readonly folder: string;
  readonly count: number;
}

/**
 * Warms up, reports that it is warm, and then measures the time per document once for each line of input, until the
 * input ends.
 */
export interface SpeedTask extends WithData {
  readonly task: "speed";
  /** CPU time in milliseconds, because with wall time, other work on the machine would shorten the warm-up. */
  readonly warmUpMs: number;
  /** Wall time in milliseconds. */
  readonly windowMs: number;
  /** Minimum number of documents, even if they take longer than `windowMs`. */
  readonly fewest: number;
}

/** The result of one measurement of a {@link SpeedTask}. */
export interface Speed {
  readonly documents: number;
  /** CPU time per document: user and system time of all threads. */
  readonly cpuMs: number;
  /** Peak memory of the process. */
  readonly peakMb: number;
}

/** Renders one document with a number of rows, in a process that has warmed up with small documents. */
export interface RowsTask extends WithTemplate {
  readonly task: "rows";
  readonly rows: number;
  readonly warmUpMs: number;
}

/** Renders a number of documents in a new process, beginning with reading the template. */
export interface SeriesTask extends WithData {
  readonly task: "series";
  readonly documents: number;
}

/** The result of a {@link RowsTask} or a {@link SeriesTask}. */
export interface GrowthPoint {
  /** Total CPU time in milliseconds. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Resident memory in megabytes with the data, before the first document of the task. */
  readonly beforeMb: number;
  readonly peakMb: number;
  /** Size of the last document in bytes. */
  readonly bytes: number;
}

/** Creates documents and writes them to a folder, either with Quire's engine or with docxtemplater in a loop. */
export interface BatchTask {
  readonly task: "batch";
  readonly how: "engine" | "loop";
  readonly documents: number;
  /** A folder with `template.docx`, `data.json` and an empty folder `out`. */
  readonly folder: string;
}

/** The result of a {@link BatchTask}. */
export interface BatchCost {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
}

/** The output of a process whose task failed. */
export interface Failure {
  readonly failed: string;
}
