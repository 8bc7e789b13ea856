/** One option of LibreOffice's PDF export: its name, its kind (boolean, number or string) and its value. */
export type ExportOption = readonly [name: string, kind: "b" | "l" | "s", value: string];

/** A conversion of one docx. */
export interface ExportJob {
  /** Absolute path of the docx. */
  readonly input: string;
  /** Absolute path for the PDF. The file does not exist yet. */
  readonly output: string;
  readonly options: readonly ExportOption[];
  readonly updateIndexes: boolean;
  /** Null for the title in the docx. */
  readonly title: string | null;
  readonly author: string | null;
  readonly subject: string | null;
  readonly keywords: string | null;
}

/** A folder that exchanges files with LibreOffice. */
export interface Exchange {
  /** The folder's absolute path, as seen by LibreOffice. */
  readonly folder: string;
  /** The folder's path, as seen by this process. */
  readonly seen: string;
}

/** How a LibreOffice ended: `killed` by SIGKILL, which LibreOffice never sends to itself, or by itself. */
export type OfficeEnd = "killed" | "ended";

/** A LibreOffice or its replacement, as seen by the process that drives it. */
export interface Office {
  /** The process that does the work; null if each document gets a new one. */
  readonly pid: number | null;
  /** The version; null if LibreOffice did not report it. */
  readonly version: string | null;
  /** The folder for PDFs; null for the folder of the documents. */
  readonly outputs: Exchange | null;
  /** Resolves when the process has ended for any reason. Never resolves if each document gets a new process. */
  readonly ended: Promise<OfficeEnd>;
  /**
   * Returns the memory in use, in MiB; 0 if unknown or if each document gets a new process. For WebAssembly, returns
   * only the growth since the first document.
   */
  residentMb(): Promise<number>;
  /** Returns the end of the output of the process. */
  log(): Promise<string>;
  /**
   * Converts one document at a time. Rejects with {@link OfficeFailure} if there is no PDF. Does not check the PDF.
   */
  convert(job: ExportJob): Promise<void>;
}

/** LibreOffice produced no PDF. */
export class OfficeFailure extends Error {
  /** What LibreOffice did, as the rest of a sentence. */
  readonly problem: string;

  /** `detail` is the output or the error of LibreOffice. */
  constructor(problem: string, detail: string) {
    super(detail);
    this.problem = problem;
  }
}

/** LibreOffice has ended, and the lane can no longer be used. */
export class OfficeEnded extends OfficeFailure {
  readonly end: OfficeEnd;

  /** `detail`: its output or error. */
  constructor(problem: string, detail: string, end: OfficeEnd) {
    super(problem, detail);
    this.end = end;
  }
}
