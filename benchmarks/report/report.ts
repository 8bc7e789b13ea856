import type { JobsResults } from "../jobs/results.ts";
import type { PdfResults } from "../pdf/results.ts";
import type { QueueResults } from "../queue/results.ts";
import type { ServiceResults } from "../service/results.ts";
import type { StartResults } from "../start/results.ts";
import type { Results } from "./results.ts";

/** All results for the page. Null stands for results that were not measured. */
export interface Report {
  readonly rendering: Results | null;
  readonly pdf: PdfResults | null;
  readonly jobs: JobsResults | null;
  readonly queue: QueueResults | null;
  readonly service: ServiceResults | null;
  readonly start: StartResults | null;
}
