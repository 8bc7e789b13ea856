/** What a process is asked to do: one task, given as JSON in its first argument. */
export type Task = DocumentsTask | SpeedTask | RowsTask | SeriesTask | BatchTask;

/** An engine, and a template in its syntax. */
interface WithTemplate {
  readonly engine: string;
  /** The file of the template. */
  readonly template: string;
}

/** The same with data: a file that holds a JSON array of data sets. */
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
 * Warms up, answers, and then measures what a document takes whenever a line comes in, until there are no
 * more.
 */
export interface SpeedTask extends WithData {
  readonly task: "speed";
  /** CPU time: a machine with other work to do does not make it shorter. */
  readonly warmUpMs: number;
  /** Wall time. */
  readonly windowMs: number;
  /** Documents that are made even when they take longer. */
  readonly fewest: number;
}

/** What a {@link SpeedTask} gives each time. */
export interface Speed {
  readonly documents: number;
  /** CPU time of a document, user and system, of all threads. */
  readonly cpuMs: number;
  /** The most memory that the process ever had. */
  readonly peakMb: number;
}

/** Makes one document with a number of rows, in a process that has warmed up with small ones. */
export interface RowsTask extends WithTemplate {
  readonly task: "rows";
  readonly rows: number;
  readonly warmUpMs: number;
}

/** Makes a number of documents, beginning with reading the template in a process that is new. */
export interface SeriesTask extends WithData {
  readonly task: "series";
  readonly documents: number;
}

/** What a {@link RowsTask} or a {@link SeriesTask} gives. */
export interface GrowthPoint {
  /** CPU time of all of it. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Resident memory with the data, before the first document of the task. */
  readonly beforeMb: number;
  readonly peakMb: number;
  /** Bytes of the last document. */
  readonly bytes: number;
}

/** Makes documents and writes them to a folder, with Quire's engine or with docxtemplater in a loop. */
export interface BatchTask {
  readonly task: "batch";
  readonly how: "engine" | "loop";
  readonly documents: number;
  /** A folder that holds `template.docx`, `data.json` and an empty folder `out`. */
  readonly folder: string;
}

/** What a {@link BatchTask} gives. */
export interface BatchCost {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
}

/** What a process prints when it could not do its task. */
export interface Failure {
  readonly failed: string;
}
