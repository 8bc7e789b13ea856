import type { Diagnostic, EngineOptions, Storage, StreamedBatchRequest } from "@quire/core";
import type { FileNames } from "../files/file-names.ts";
import type { Progress } from "../terminal/progress.ts";
import type { DryRun } from "./dry-run.ts";
import type { ReusePolicy } from "./earlier-documents.ts";
import type { RunEntries } from "./entries.ts";
import type { RunKey } from "./key.ts";
import type { RunOutput } from "./output.ts";
import type { RunPackets } from "./packet.ts";

/** The inputs of a run. */
export interface Run {
  readonly entries: RunEntries;
  readonly request: Omit<StreamedBatchRequest, "document_generation_data">;
  /** Identifies the run. */
  readonly key: RunKey;
  readonly journalPath: string;
  /** Set if the run writes nothing. */
  readonly dry: DryRun | null;
  /** Whether to start over, even if the run was started before. */
  readonly force: boolean;
  /** What happens to documents of earlier runs; null to treat them like any other existing files. */
  readonly reuse: ReusePolicy | null;
  /** The folder of the data file, which contains the pictures that the data names. */
  readonly dataFolder: string;
  readonly names: FileNames;
  /** Whether the choice of entries uses the value that a diagnostic reports as unused. */
  readonly isUsedToChoose: (diagnostic: Diagnostic) => boolean;
  readonly packets: RunPackets | null;
  readonly output: RunOutput;
  readonly storage: Storage;
  readonly engine: Omit<EngineOptions, "storage" | "jobs" | "keepFinishedMs">;
  /** The output as named in the command. */
  readonly shownOut: string;
  readonly progress: Progress;
  /** Maximum length of a pause, in seconds; null for no limit. */
  readonly giveUpAfter: number | null;
  /** Whether to print only problems. */
  readonly quiet: boolean;
  /** Whether to print a line for each document. */
  readonly verbose: boolean;
  /** The number of skipped blank rows in the data file. */
  readonly blankRows: number;
}
