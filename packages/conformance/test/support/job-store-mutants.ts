import type { JobStore, NewJob } from "@quire/contracts";
import { changed, withWorkers } from "./changed-store.ts";

/** A store that breaks the contract. */
export interface Mutant {
  /** Completes the sentence "a store that …". */
  readonly fault: string;
  /** The name of a case that must fail. */
  readonly found: string;
  /** Returns a store with the fault. */
  readonly change: (store: JobStore) => JobStore;
}

/** For each batch of a store that steals names: the number of batches that were accepted before its acceptance began. */
export const thieves = new Map<string, number>();

const KINDS = "a worker takes only the jobs of its kind";
const FRESH = "every write is visible to every read of another handle";
const CLOSED = "calls that are under way when their worker is closed leave nothing with it";
const LARGE = "entries of several megabytes are kept whole, and count for maxBytes";

/** Faults that cases find quickly. */
export const MUTANTS: readonly Mutant[] = [
  {
    fault: "gives a batch names that another batch got while it was being accepted",
    found: "many small batches that are accepted at once never share a name",
    change: stealing,
  },
  {
    fault: "gives several batches a name that must not be changed",
    found: "if many batches want one name at once and must not be renamed, one gets it",
    change: stealing,
  },
  {
    fault: "calls hash before it reads the jobs",
    found: "hash is called after the jobs have been read",
    change: (store) =>
      changed(store, {
        createBatch: (made, jobs, hash, options) => {
          const early = hash();
          return store.createBatch(made, jobs, () => early, options);
        },
      }),
  },
  {
    fault: "asks isTaken for names as they are written",
    found: "a name that the folder already contains is not reserved",
    change: (store) =>
      changed(store, {
        createBatch: (made, jobs, hash, options) =>
          store.createBatch(made, jobs, hash, {
            ...options,
            isTaken: (name) => options.isTaken(name.replace("doc", "Doc")),
          }),
      }),
  },
  {
    fault: "asks isTaken for unfolded names when failed jobs are retried",
    found: "a name that the folder already contains is not reserved",
    change: (store) =>
      changed(store, {
        retryFailed: (id, { isTaken }) =>
          store.retryFailed(id, { isTaken: (name) => isTaken(name.toUpperCase()) }),
      }),
  },
  {
    fault: "keeps a batch that it has read for the next read",
    found: FRESH,
    change: (store) => changed(store, { getBatch: stale(store.getBatch.bind(store)) }),
  },
  {
    fault: "keeps a page that it has read for the next read",
    found: FRESH,
    change: (store) => changed(store, { listJobs: stale(store.listJobs.bind(store)) }),
  },
  {
    fault: "does not see that another handle has released a tenant",
    found: "a claim sees the writes of another handle",
    change: (store) =>
      changed(store, {
        holdTenant: async (tenant, isHeld) => {
          if (isHeld) await store.holdTenant(tenant, true);
        },
      }),
  },
  {
    fault: "forgets the events that a worker took before it was closed",
    found: CLOSED,
    change: (store) =>
      withWorkers(store, (worker) => {
        const taken: number[] = [];
        return {
          takeEvents: async (limit) => {
            const events = await worker.takeEvents(limit);
            taken.push(...events.map(({ sequence }) => sequence));
            return events;
          },
          close: async () => {
            await Promise.resolve();
            await worker.tellEvents(taken);
            await worker.close();
          },
        };
      }),
  },
  {
    fault: "leaves the jobs of a claim that is under way with a closed worker",
    found: CLOSED,
    change: (store) =>
      withWorkers(store, (worker, options) => ({
        claim: async (limit, claimed) => {
          await Promise.resolve();
          const isClosed = !worker.isHeld;
          const claims = isClosed ? await store.openWorker(options) : worker;
          return claims.claim(limit, claimed);
        },
      })),
  },
  {
    fault: "gives a job to two workers",
    found: "4 workers on 2 handles concurrently make each of 200 jobs once",
    change: (store) => {
      let last: Awaited<ReturnType<Awaited<ReturnType<JobStore["openWorker"]>>["claim"]>> | null =
        null;
      return withWorkers(store, (worker) => ({
        claim: async (limit, options) => {
          const again = last;
          last = await worker.claim(limit, options);
          return again !== null && again.jobs.length > 0 && last.jobs.length > 0 ? again : last;
        },
      }));
    },
  },
  {
    fault: "gives every worker the jobs of all kinds",
    found: KINDS,
    change: (store) =>
      changed(store, { openWorker: (options) => store.openWorker({ ...options, takes: "all" }) }),
  },
  {
    fault: "gives a worker for PDFs the other jobs",
    found: KINDS,
    change: (store) =>
      changed(store, {
        openWorker: (options) =>
          store.openWorker({ ...options, takes: options.takes === "all" ? "all" : "docx" }),
      }),
  },
  {
    fault: "reports the oldest batch of all kinds for each kind",
    found: "the oldest batch of a kind is the oldest one with a waiting job",
    change: (store) =>
      changed(store, {
        gauge: changed(store.gauge, {
          depth: async () => {
            const { oldestAt, ...depth } = await store.gauge.depth();
            const all = [oldestAt.docx, oldestAt.pdf].flatMap((at) => (at === null ? [] : [at]));
            const first = all.length === 0 ? null : Math.min(...all);
            return { ...depth, oldestAt: { docx: first, pdf: first } };
          },
        }),
      }),
  },
  {
    fault: "claims fewer jobs than a group",
    found: "a claim of a group gets a whole group if there are enough jobs",
    change: (store) =>
      withWorkers(store, (worker) => ({
        claim: (limit, options) => worker.claim(Math.min(limit, 10), options),
      })),
  },
  {
    fault: "retries a job before its time",
    found: "a job that is released with a delay is claimed after it, not before",
    change: (store) =>
      withWorkers(store, (worker) => ({
        settle: (claim, outcome) =>
          worker.settle(claim, outcome.type === "released" ? { type: "released" } : outcome),
      })),
  },
  {
    fault: "cuts long names",
    found: "long names, ids, tenants and keys are kept whole",
    change: (store) =>
      changed(store, {
        createBatch: (made, jobs, hash, options) =>
          store.createBatch(made, cutNames(jobs), hash, options),
      }),
  },
  {
    fault: "cuts large entries",
    found: LARGE,
    change: (store) =>
      withWorkers(store, (worker) => ({
        claim: async (limit, options) => {
          const { jobs, suspects } = await worker.claim(limit, options);
          const cut = jobs.map((job) => ({
            ...job,
            input: { ...job.input, bytes: job.input.bytes.subarray(0, 2 ** 22) },
          }));
          return { jobs: cut, suspects };
        },
      })),
  },
  {
    fault: "ignores maxBytes",
    found: LARGE,
    change: (store) => withWorkers(store, (worker) => ({ claim: (limit) => worker.claim(limit) })),
  },
  {
    fault: "drops the NUL characters of tenants",
    found: "tenants and keys are not confused, whatever characters they contain",
    change: (store) =>
      changed(store, {
        createBatch: (made, ...given) =>
          store.createBatch({ ...made, tenant: made.tenant.replaceAll("\0", ":") }, ...given),
      }),
  },
  {
    fault: "forgets now and then how a job has ended",
    found: "interruptions in the middle of work lose nothing and undo nothing",
    change: (store) => {
      let settled = 0;
      return withWorkers(store, (worker) => ({
        settle: async (claim, outcome) => {
          settled += 1;
          return settled % 9 === 0 ? false : worker.settle(claim, outcome);
        },
      }));
    },
  },
  {
    fault: "accepts a request again if its answer was lost",
    found: "a batch that is accepted during interruptions is whole, and exists once under its key",
    change: (store) =>
      changed(store, {
        createBatch: (made, ...given) =>
          store.createBatch({ ...made, idempotencyKey: null }, ...given),
      }),
  },
];

/** Faults of stores that do nothing: the cases wait long for what should happen. */
export const SLOW_MUTANTS: readonly Mutant[] = [
  {
    fault: "ends a wait only when its time is over",
    found: "a wait for work ends when a batch is accepted on another handle",
    change: (store) => withWorkers(store, () => ({ waitForWork: forever })),
  },
  {
    fault: "lets a wait last longer than its worker",
    found: "a wait ends when its worker is closed, is lost, or its store is closed",
    change: (store) => withWorkers(store, () => ({ waitForWork: forever })),
  },
  {
    fault: "forgets the waits of a connection that was interrupted",
    found: "handles and workers can be used after an interruption",
    change: (store) => withWorkers(store, () => ({ waitForWork: forever })),
  },
  {
    fault: "leaves jobs with a worker whose connection was interrupted",
    found:
      "if an interruption loses the answers of calls, another worker gets their jobs and events",
    change: (store) => withWorkers(store, () => ({ close: async () => {} })),
  },
];

/** Looks for taken names before it accepts, but not again when it does. */
function stealing(store: JobStore): JobStore {
  let accepted = 0;
  return changed(store, {
    createBatch: async (made, ...given) => {
      thieves.set(made.id, accepted);
      const batch = await store.createBatch(made, ...given);
      accepted += 1;
      return batch;
    },
  });
}

/** Returns the result of the call before, for equal arguments. */
function stale<Given extends unknown[], T>(
  call: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  const kept = new Map<string, T>();
  return async (...given) => {
    const key = JSON.stringify(given);
    const before = kept.get(key);
    const now = await call(...given);
    kept.set(key, now);
    return before ?? now;
  };
}

async function* cutNames(jobs: AsyncIterable<NewJob> | Iterable<NewJob>): AsyncGenerator<NewJob> {
  for await (const job of jobs) yield { ...job, fileName: job.fileName?.slice(-100) ?? null };
}

function forever(): Promise<void> {
  return new Promise(() => {});
}
