import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JobStore, type NewBatch, QuireError } from "@quire/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import { newBatch, newJob } from "../../contracts/test/support/new-batch.ts";
import { type SqliteJobStoreOptions, sqliteJobStore } from "../src/index.ts";

async function open(options: Partial<SqliteJobStoreOptions> = {}): Promise<JobStore> {
  const folder = await mkdtemp(join(tmpdir(), "quire-accept-"));
  const store = sqliteJobStore({ path: join(folder, "jobs.db"), ...options });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return store;
}

function batchOf(id: string, idempotencyKey: string | null = null): NewBatch {
  return newBatch({ id, tenant: "t", idempotencyKey });
}

const nobody = { isTaken: () => false };

async function names(store: JobStore): Promise<(string | null)[]> {
  const { items } = await store.listJobs({ order: "entry", limit: 100, tenant: "t" });
  return items.map(({ fileName }) => fileName).sort();
}

describe("Small batches that are accepted together", () => {
  test("are each stored completely or not at all, and a failure of one does not affect the others", async () => {
    const store = await open();
    const failing = new QuireError("conflict", "It failed when its rows were written.");
    const taken = ["a", "b", "c"].map((id) =>
      store.createBatch(
        batchOf(id, `key of ${id}`),
        [newJob("letter")],
        () => {
          if (id === "b") throw failing;
          return id;
        },
        nobody,
      ),
    );
    const ends = await Promise.allSettled(taken);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(ends[1]).toMatchObject({ reason: { code: "conflict" } });
    expect(await store.getBatch("b")).toBeNull();
    // The next batch got the name that the failed batch had reserved.
    expect(await names(store)).toEqual(["letter (1).docx", "letter.docx"]);
    expect(await store.gauge.depth()).toMatchObject({ submitted: 2 });
  });

  test("fill the store up to its limit", async () => {
    const store = await open({ maxWaiting: 3 });
    const ids = ["a", "b", "c", "d", "e"];
    const ends = await Promise.allSettled(
      ids.map((id) => store.createBatch(batchOf(id), [newJob(id)], () => "", nobody)),
    );
    const refused = ends.flatMap((end) => (end.status === "rejected" ? [end.reason.code] : []));
    expect(refused).toEqual(["limit_exceeded", "limit_exceeded"]);
    expect(await names(store)).toHaveLength(3);
    expect(await store.gauge.depth()).toMatchObject({ submitted: 3 });
  });

  test("become one batch if they share a key", async () => {
    const store = await open();
    const ids = ["a", "b", "c"];
    const taken = await Promise.all(
      ids.map((id) => store.createBatch(batchOf(id, "key"), [newJob("letter")], () => "1", nobody)),
    );
    expect(new Set(taken.map(({ batch }) => batch.id)).size).toBe(1);
    expect(taken.filter(({ created }) => created)).toHaveLength(1);
    expect(await names(store)).toEqual(["letter.docx"]);
  });
});
