import {
  checkOptions,
  type JobStatus,
  type JobWorkerOptions,
  type OptionNames,
  QuireError,
} from "@quire/contracts";
import type {
  BatchPart,
  CheckBatchOptions,
  CloseOptions,
  CreateBatchOptions,
  EngineOptions,
  InspectTemplateOptions,
  ListBatchesOptions,
  ListJobsOptions,
} from "./engine-types.ts";
import { EVENT_GROUP, type EventHandler } from "./publish-events.ts";

/** The length of the lease on jobs, unless the options set another. */
const LEASE_MS = 15_000;

/** How long finished batches are kept by default, in a durable job store and in memory. */
const KEEP_DURABLE_MS = 30 * 24 * 3600 * 1000;
const KEEP_MEMORY_MS = 3600 * 1000;

const ENGINE: OptionNames<EngineOptions> = {
  storage: true,
  converter: true,
  jobs: true,
  work: true,
  acceptsConversions: true,
  renderer: true,
  concurrency: true,
  onEvent: true,
  onEvents: true,
  keepEvents: true,
  onStoreFailure: true,
  keepFinishedMs: true,
  leaseMs: true,
  maxPauseMs: true,
  onPause: true,
  observe: true,
  newId: true,
};
const CREATE: OptionNames<CreateBatchOptions> = {
  signal: true,
  idempotencyKey: true,
  tenant: true,
  weight: true,
  caller: true,
  trace: true,
  earlierResult: true,
  part: true,
  refusal: true,
};
const CHECK: OptionNames<CheckBatchOptions> = { tenant: true, maxBytes: true, signal: true };
const INSPECT: OptionNames<InspectTemplateOptions> = {
  delimiters: true,
  tenant: true,
  version: true,
  signal: true,
};
const LIST_BATCHES: OptionNames<ListBatchesOptions> = {
  tenant: true,
  caller: true,
  template: true,
  limit: true,
  marker: true,
};
const LIST_JOBS: OptionNames<ListJobsOptions> = {
  ...LIST_BATCHES,
  batchId: true,
  maxBytes: true,
  status: true,
};
const STATUSES: Readonly<Record<JobStatus, true>> = {
  submitted: true,
  pending: true,
  completed: true,
  completed_with_error: true,
  failed: true,
};
const CLOSE: OptionNames<CloseOptions> = { graceMs: true, signal: true };

/** Returns the options. Throws `invalid_request` for an unknown option, and if there is no storage. */
export function checkEngineOptions(options: EngineOptions): EngineOptions {
  checkOptions("createEngine()", options, ENGINE);
  if (options?.storage !== undefined && options.storage !== null) return options;
  throw new QuireError(
    "invalid_request",
    'createEngine() needs the option storage, for example fsStorage({ root: "documents" }) of @quire/storage-fs.',
  );
}

/** Returns the options of the work loop with their defaults. `durable` says whether the job store is durable. */
export function workOptions(options: EngineOptions, durable: boolean) {
  const { leaseMs = LEASE_MS, onStoreFailure = null } = options;
  const { keepFinishedMs = durable ? KEEP_DURABLE_MS : KEEP_MEMORY_MS } = options;
  return { leaseMs, keepFinishedMs, eventHandler: eventHandler(options), onStoreFailure };
}

/** Returns the handler of an engine's events; null if it has none. */
function eventHandler({ onEvent, onEvents }: EngineOptions): EventHandler | null {
  if (onEvents !== undefined) return { size: EVENT_GROUP, handle: onEvents };
  if (onEvent === undefined) return null;
  return {
    size: 1,
    handle: async (events) => {
      for (const event of events) await onEvent(event);
    },
  };
}

/** The part of an engine in the work on a job store. */
export interface WorkShare {
  /** Which jobs the engine's workers take; null if it has no workers. */
  readonly takes: JobWorkerOptions["takes"] | null;
  /** Whether the engine accepts batches that need a converter. */
  readonly acceptsConversions: boolean;
}

/** Reads the option `work`. Throws `invalid_request` if it does not fit the other options. */
export function workShare(options: EngineOptions, isDurable: boolean): WorkShare {
  const { work = true } = options;
  const problem = workProblem(options, isDurable);
  if (problem !== null) throw new QuireError("invalid_request", problem);
  const canConvert = options.converter !== undefined;
  const { acceptsConversions = canConvert || work !== true } = options;
  if (work === true) return { takes: canConvert ? "all" : "docx", acceptsConversions };
  return { takes: work === false ? null : work, acceptsConversions };
}

function workProblem(
  { work = true, converter, acceptsConversions, onEvent, onEvents }: EngineOptions,
  isDurable: boolean,
): string | null {
  const option = "The option work of createEngine()";
  if (![true, false, "docx", "pdf"].includes(work)) {
    return `${option} must be true, false, "docx" or "pdf", not ${JSON.stringify(work)}.`;
  }
  if (work !== true && !isDurable) {
    return `${option} must be true, because the job store is not durable: no other engine can make the other documents.`;
  }
  if (acceptsConversions === true && converter === undefined && !isDurable) {
    return "The option acceptsConversions of createEngine() is true, but the engine has no converter, and its job store is not durable: no other engine can make these documents. Pass a converter.";
  }
  if (work === "pdf" && converter === undefined) {
    return `${option} is "pdf", but the engine has no converter. Pass one, for example libreOffice() from @quire/pdf-libreoffice.`;
  }
  if (onEvent !== undefined && onEvents !== undefined) {
    return "createEngine() has both options onEvent and onEvents. Pass one of them.";
  }
  const handler = onEvents === undefined ? "onEvent" : "onEvents";
  if (work === false && (onEvent ?? onEvents) !== undefined) {
    return `${option} is false, so the engine delivers no events. Pass keepEvents: true instead of ${handler}, and pass ${handler} to an engine that works.`;
  }
  return null;
}

/** For each method of an engine: returns the options. Throws `invalid_request` for unknown and invalid ones. */
export const knownOptions = {
  createBatch: (options: CreateBatchOptions): CreateBatchOptions => {
    checkOptions("createBatch()", options, CREATE);
    const { weight = 1, part } = options;
    if (!(weight > 0 && Number.isFinite(weight))) {
      throw new QuireError(
        "invalid_request",
        "The option weight of createBatch() must be a positive number.",
      );
    }
    if (part === undefined || isPart(part)) return options;
    throw new QuireError(
      "invalid_request",
      "The option part of createBatch() must have two whole numbers, first and last, with 1 ≤ first ≤ last.",
    );
  },
  checkBatch: known("checkBatch()", CHECK),
  inspectTemplate: known("inspectTemplate()", INSPECT),
  listBatches: known("listBatches()", LIST_BATCHES),
  listJobs: (options: ListJobsOptions): ListJobsOptions => {
    checkOptions("listJobs()", options, LIST_JOBS);
    const { status } = options;
    if (status === undefined || Object.hasOwn(STATUSES, status)) return options;
    const listed = Object.keys(STATUSES).map((each) => JSON.stringify(each));
    throw new QuireError(
      "invalid_request",
      `The option status of listJobs() must be one of ${listed.join(", ")}, not ${JSON.stringify(status)}.`,
    );
  },
  close: known("close()", CLOSE),
};

function isPart({ first, last }: BatchPart): boolean {
  return Number.isSafeInteger(first) && Number.isSafeInteger(last) && first >= 1 && last >= first;
}

function known<Options extends object>(
  call: string,
  names: OptionNames<Options>,
): (options: Options) => Options {
  return (options) => {
    checkOptions(call, options, names);
    return options;
  };
}
