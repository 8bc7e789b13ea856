/** One option of LibreOffice's PDF export: its name, whether it is a boolean, a number or a text, its value. */
export type ExportOption = readonly [name: string, kind: "b" | "l" | "s", value: string];

/** What LibreOffice is to do with one docx. */
export interface ExportJob {
  /** The docx, an absolute path. */
  readonly input: string;
  /** Where the PDF goes, an absolute path; nothing is there yet. */
  readonly output: string;
  readonly options: readonly ExportOption[];
  readonly updateIndexes: boolean;
  /** Null: as the docx has it. */
  readonly title: string | null;
  readonly author: string | null;
  readonly subject: string | null;
  readonly keywords: string | null;
}

/** A folder through which files go to LibreOffice, or come from it. */
export interface Exchange {
  /** As LibreOffice calls it, an absolute path. */
  readonly folder: string;
  /** As this process calls it. */
  readonly seen: string;
}

/** A LibreOffice, or what takes its place, from the view of the process that drives it. */
export interface Office {
  /** The process that does the work; null when each document has one of its own. */
  readonly pid: number | null;
  /** Its version; null when it did not tell. */
  readonly version: string | null;
  /** Where it writes PDFs; null: where it is given documents. */
  readonly outputs: Exchange | null;
  /** Resolves when the process ended, however; never where each document has one of its own. */
  readonly ended: Promise<void>;
  /**
   * What it holds, in MiB; 0 when that is not known or each document has a process of its own. Where its own size
   * is in it, beside what it held after the first document.
   */
  residentMb(): Promise<number>;
  /** The end of what it printed. */
  log(): Promise<string>;
  /**
   * Converts one document; one at a time. Rejects {@link OfficeFailure} when there is no PDF. Whether what
   * is there is one is not its business.
   */
  convert(job: ExportJob): Promise<void>;
}

/** LibreOffice gave no PDF. */
export class OfficeFailure extends Error {
  /** What it did, as the rest of a sentence. */
  readonly problem: string;

  /** `detail`: what it printed or told. */
  constructor(problem: string, detail: string) {
    super(detail);
    this.problem = problem;
  }
}

/** LibreOffice ended: the lane is of no use any more. */
export class OfficeGone extends OfficeFailure {}
