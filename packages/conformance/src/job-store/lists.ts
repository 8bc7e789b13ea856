import assert from "node:assert/strict";
import type { BatchQuery, JobQuery, JobRecord, JobStore, RecordPage } from "@quire/contracts";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  badJob,
  claimOne,
  complete,
  completeAll,
  entriesOf,
  fail,
  failure,
  listedJobs,
  newJobs,
  numbers,
  openWorker,
} from "./samples.ts";

const BAD_MARKERS = ["no marker", "-1", "", "\0", "../x", "📄", "[]"] as const;
const BAD_LIMITS = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY] as const;

/** The cases about listings, by name. */
export const listCases: Readonly<Record<string, JobStoreCase>> = {
  "batches are listed newest first, in pages of any size": async ({ store, other }) => {
    const ids: string[] = [];
    for (let number = 0; number < 7; number++)
      ids.unshift(await acceptId(number % 2 === 0 ? store : other, newJobs(1)));
    for (const limit of [1, 2, 3, 6, 7, 8, 1000])
      assert.deepEqual(await listedIds(other, { limit }), ids);
    const { items } = await store.listBatches({ limit: 1 });
    assert.deepEqual(items[0], await other.getBatch(ids[0] ?? ""));
  },

  "an empty listing has one empty page": async ({ store }) => {
    const empty = { items: [], nextMarker: null };
    assert.deepEqual(await store.listBatches({ limit: 5 }), empty);
    assert.deepEqual(await store.listJobs({ order: "entry", limit: 5, caller: "c" }), empty);
  },

  "batches are listed by tenant, by caller and by template": async ({ store, other }) => {
    const ids = new Map<string, string>();
    for (const tenant of ["a", "b"]) {
      for (const caller of ["x", null]) {
        for (const template of ["t1", "t2"]) {
          const file = { type: "file", id: template, version: "1" } as const;
          const id = await acceptId(store, newJobs(1), { tenant, caller, template: file });
          ids.set(`${tenant} ${caller} ${template}`, id);
        }
      }
    }
    const listed = async (query: Omit<BatchQuery, "limit">) => {
      const found = await listedIds(other, { ...query, limit: 3 });
      const names = [...ids].filter(([, id]) => found.includes(id)).map(([name]) => name);
      assert.equal(names.length, found.length);
      return names;
    };
    assert.equal((await listed({})).length, 8);
    assert.deepEqual(await listed({ tenant: "b", template: "t2" }), ["b x t2", "b null t2"]);
    assert.deepEqual(await listed({ caller: "x" }), ["a x t1", "a x t2", "b x t1", "b x t2"]);
    assert.deepEqual(await listed({ tenant: "a", caller: "x", template: "t1" }), ["a x t1"]);
    assert.deepEqual(await listed({ tenant: "c" }), []);
    assert.deepEqual(await listed({ caller: "null" }), []);
  },

  "the jobs of a batch are listed only for its tenant, caller and template": async (place) => {
    const { store, other } = place;
    const id = await acceptId(store, newJobs(2), { tenant: "a", caller: "x" });
    const list = async (query: Pick<JobQuery, "tenant" | "caller" | "template">) => {
      const page = { batchId: id, order: "entry", limit: 10 } as const;
      return (await other.listJobs({ ...query, ...page })).items.length;
    };
    assert.equal(await list({ tenant: "a", caller: "x" }), 2);
    assert.equal(await list({ tenant: "b" }), 0);
    assert.equal(await list({ caller: "y" }), 0);
    assert.equal(await list({ template: "another.docx" }), 0);
  },

  "batches accepted between two pages are not repeated and do not shift others": async ({
    store,
    other,
  }) => {
    const ids: string[] = [];
    for (let number = 0; number < 4; number++) ids.unshift(await acceptId(store, newJobs(2)));
    const first = await other.listBatches({ limit: 2 });
    const jobs = await other.listJobs({ template: TEMPLATE, order: "entry", limit: 3 });
    await acceptId(store, newJobs(3));
    const second = await other.listBatches({ limit: 2, marker: first.nextMarker ?? "" });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      ids,
    );
    const marker = jobs.nextMarker ?? "";
    const query = { template: TEMPLATE, order: "entry", limit: 100, marker } as const;
    const rest = await other.listJobs(query);
    assert.deepEqual(
      namesAndEntries([...jobs.items, ...rest.items]),
      ids.flatMap((id) => [`${id}/1`, `${id}/2`]),
    );
  },

  "jobs are listed by entry, newest batch first, in pages of any size": async ({
    store,
    other,
  }) => {
    const [one, two] = [await acceptId(store, newJobs(4)), await acceptId(other, newJobs(3))];
    for (const limit of [1, 2, 3, 4, 7, 1000]) {
      const jobs = await listedJobs(other, { template: TEMPLATE, limit });
      const expected = [
        ...numbers(3).map((n) => `${two}/${n}`),
        ...numbers(4).map((n) => `${one}/${n}`),
      ];
      assert.deepEqual(namesAndEntries(jobs), expected);
      assert.deepEqual(entriesOf(await listedJobs(store, { batchId: one, limit })), numbers(4));
    }
  },

  "a page ends before its results exceed maxBytes, and has at least one job": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(6));
    const worker = await openWorker(store);
    const message = "é".repeat(1_000);
    for (let number = 0; number < 6; number++) {
      const jobFailure = failure({ message: number === 2 ? message.repeat(10) : message });
      await worker.settle(await claimOne(worker), { type: "failed", failure: jobFailure });
    }
    const pages = async (order: JobQuery["order"], maxBytes: number): Promise<number[][]> => {
      const found: number[][] = [];
      for (let marker: string | null | undefined; found.flat().length < 6; ) {
        assert.ok(marker !== null, "A page that ends early should have a marker.");
        const query = { batchId: id, order, limit: 4, maxBytes, marker };
        const page: RecordPage<JobRecord> = await other.listJobs(query);
        assert.ok(page.items.length > 0, "A page should have at least one job.");
        found.push(entriesOf(page.items));
        marker = page.nextMarker;
      }
      return found;
    };
    for (const order of ["entry", "ended"] as const) {
      assert.deepEqual(await pages(order, 1), [[1], [2], [3], [4], [5], [6]]);
      assert.deepEqual(await pages(order, 5_000), [[1, 2], [3], [4, 5], [6]]);
      assert.deepEqual(await pages(order, 1_000_000), [
        [1, 2, 3, 4],
        [5, 6],
      ]);
    }
  },

  "jobs are listed by status, and pages remain valid when states change between them": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, [...newJobs(10), badJob()]);
    const worker = await openWorker(store);
    for (let number = 1; number <= 6; number++) {
      const claim = await claimOne(worker);
      await (number % 2 === 0 ? complete(worker, claim) : fail(worker, claim));
    }
    await claimOne(worker);
    const listed = async (status: JobRecord["status"], limit: number) =>
      entriesOf(await listedJobs(other, { batchId: id, status, limit }));
    for (const limit of [1, 2, 3, 100]) {
      assert.deepEqual(await listed("failed", limit), [1, 3, 5, 11]);
      assert.deepEqual(await listed("completed", limit), [2, 4, 6]);
      assert.deepEqual(await listed("pending", limit), [7]);
      assert.deepEqual(await listed("submitted", limit), [8, 9, 10]);
      assert.deepEqual(await listed("completed_with_error", limit), []);
    }
    const query = { batchId: id, status: "submitted", order: "entry" } as const;
    const page = await other.listJobs({ ...query, limit: 1 });
    await complete(worker, await claimOne(worker));
    const rest = await other.listJobs({ ...query, limit: 10, marker: page.nextMarker ?? "" });
    assert.deepEqual([entriesOf(page.items), entriesOf(rest.items)], [[8], [9, 10]]);
  },

  "jobs are listed by tenant, caller and template of their batches": async ({ store, other }) => {
    const template = { type: "file", id: "t", version: "1" } as const;
    const one = await acceptId(store, newJobs(2), { tenant: "a", caller: "x" });
    const two = await acceptId(store, newJobs(2), { tenant: "b", caller: "x", template });
    const batchesOf = async (query: Parameters<typeof listedJobs>[1]) => [
      ...new Set((await listedJobs(other, query)).map(({ batchId }) => batchId)),
    ];
    assert.deepEqual(await batchesOf({ caller: "x", limit: 1 }), [two, one]);
    assert.deepEqual(await batchesOf({ caller: "x", tenant: "a" }), [one]);
    assert.deepEqual(await batchesOf({ template: "t" }), [two]);
    assert.deepEqual(await batchesOf({ template: "t", tenant: "a" }), []);
    assert.deepEqual(await batchesOf({ caller: "y" }), []);
  },

  "jobs are listed in the order in which they ended, and the last marker continues from there":
    async ({ store, other }) => {
      const id = await acceptId(store, newJobs(6));
      const follow = endedFrom(other, id);
      assert.deepEqual(await follow(10), []);
      const worker = await openWorker(store);
      const { jobs } = await worker.claim(5);
      for (const index of [3, 0, 4]) {
        const claim = jobs[index];
        assert.ok(claim);
        await (index === 0 ? fail(worker, claim) : complete(worker, claim));
      }
      assert.deepEqual(await follow(2), [4, 1]);
      assert.deepEqual(await follow(2), [5]);
      assert.deepEqual(await follow(2), []);
      for (const index of [2, 1]) {
        const claim = jobs[index];
        if (claim) await complete(worker, claim);
      }
      assert.deepEqual(await follow(10), [3, 2]);
      await completeAll(worker);
      assert.deepEqual(await follow(10), [6]);
      assert.deepEqual(await follow(10), []);
      assert.deepEqual(await endedFrom(store, id)(100), [4, 1, 5, 3, 2, 6]);
      const failed = { batchId: id, status: "failed", order: "ended", limit: 1 } as const;
      assert.deepEqual(entriesOf((await store.listJobs(failed)).items), [1]);
    },

  "a retried job ends once more, and is listed once from the beginning": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(3));
    const worker = await openWorker(store);
    const follow = endedFrom(other, id);
    const [one, two, three] = (await worker.claim(3)).jobs;
    assert.ok(one && two && three);
    await fail(worker, one);
    await complete(worker, two);
    await fail(worker, three);
    assert.deepEqual(await follow(10), [1, 2, 3]);
    await store.retryFailed(id, { isTaken: () => false });
    assert.deepEqual(await endedFrom(other, id)(10), [2]);
    assert.deepEqual(await follow(10), []);
    const [first, second] = (await worker.claim(2)).jobs;
    assert.ok(first && second);
    await complete(worker, second);
    await complete(worker, first);
    assert.deepEqual(await follow(10), [second.entry, first.entry]);
    assert.deepEqual(await endedFrom(other, id)(10), [2, second.entry, first.entry]);
  },

  "rejects an invalid marker or limit with invalid_request": async ({ store, other }) => {
    const batchId = await acceptId(store, newJobs(3));
    for (const limit of BAD_LIMITS) {
      await rejects(other.listBatches({ limit }), "invalid_request");
      for (const order of ["entry", "ended"] as const)
        await rejects(other.listJobs({ batchId, order, limit }), "invalid_request");
    }
    for (const marker of BAD_MARKERS) {
      await rejects(other.listBatches({ limit: 1, marker }), "invalid_request");
      await rejects(
        other.listJobs({ template: TEMPLATE, order: "entry", limit: 1, marker }),
        "invalid_request",
      );
      for (const order of ["entry", "ended"] as const)
        await rejects(other.listJobs({ batchId, order, limit: 1, marker }), "invalid_request");
    }
  },
};

const TEMPLATE = "templates/letter.docx";

async function listedIds(store: JobStore, query: BatchQuery): Promise<string[]> {
  const ids: string[] = [];
  for (let marker: string | null | undefined; marker !== null; ) {
    const page = await store.listBatches({ ...query, marker });
    assert.ok(page.items.length <= query.limit, "A page should not be longer than its limit.");
    assert.ok(page.items.length > 0 || ids.length === 0, "The last page should have no marker.");
    ids.push(...page.items.map(({ id }) => id));
    marker = page.nextMarker;
  }
  return ids;
}

function namesAndEntries(jobs: readonly JobRecord[]): string[] {
  return jobs.map(({ batchId, entry }) => `${batchId}/${entry}`);
}

/** Returns a function that lists the entries of the jobs that have ended since it was last called. */
function endedFrom(store: JobStore, batchId: string): (limit: number) => Promise<number[]> {
  let marker: string | undefined;
  return async (limit) => {
    const page = await store.listJobs({ batchId, order: "ended", limit, marker });
    assert.ok(page.items.length <= limit, "A page should not be longer than its limit.");
    assert.ok(page.nextMarker !== null, "There should be a marker to continue from.");
    marker = page.nextMarker;
    return entriesOf(page.items);
  };
}
