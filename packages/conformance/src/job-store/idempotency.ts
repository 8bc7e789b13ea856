import assert from "node:assert/strict";
import { type JobStore, type NewJob, QuireError } from "@quire/contracts";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import { accept, acceptId, completeAll, newBatch, newJob, newJobs, openWorker } from "./samples.ts";

const KEY = { idempotencyKey: "request-1" };

/** The cases about idempotency keys, by name. */
export const idempotencyCases: Readonly<Record<string, JobStoreCase>> = {
  "a known key returns the first batch, in its current state": async ({ store, other }) => {
    const first = await accept(store, newJobs(3), KEY);
    assert.equal(first.created, true);
    const second = await accept(other, newJobs(3), KEY);
    assert.deepEqual(second, { batch: first.batch, created: false });
    await completeAll(await openWorker(store));
    const third = await accept(other, newJobs(3), KEY);
    assert.equal(third.created, false);
    assert.deepEqual([third.batch.id, third.batch.status], [first.batch.id, "finished"]);
    const { items } = await store.listBatches({ limit: 10 });
    assert.equal(items.length, 1);
  },

  "a refusal rejects, unless the key is known": async (place) => {
    const { store, other } = place;
    const refusal = new QuireError("not_found", "The template is gone.");
    const submit = (jobs: readonly NewJob[], idempotencyKey: string | null) =>
      other.createBatch(newBatch({ idempotencyKey }), jobs, () => "one", {
        isTaken: () => false,
        refusal,
      });
    const { batch } = await accept(store, newJobs(3), KEY, { hash: "one" });
    assert.deepEqual(await submit(newJobs(3), KEY.idempotencyKey), { batch, created: false });
    await rejects(submit(newJobs(3), "another"), "not_found");
    await rejects(submit(newJobs(3000), null), "not_found");
    const { items } = await store.listBatches({ limit: 10 });
    assert.deepEqual(
      items.map(({ id }) => id),
      [batch.id],
    );
  },

  "a long request that is submitted twice concurrently gets its requested names": async ({
    store,
    other,
  }) => {
    const submit = (to: JobStore) => accept(to, newJobs(1500), { ...KEY, onConflict: "fail" });
    const both = await Promise.all([submit(store), submit(other)]);
    assert.deepEqual(both.map(({ created }) => created).sort(), [false, true]);
    assert.equal(both[0].batch.id, both[1].batch.id);
    assert.equal(both[0].batch.counts.failed, 0);
    const { job } = (await store.getJob(both[0].batch.id, 1500)) ?? {};
    assert.equal(job?.fileName, `${job?.requestedName}.docx`);
  },

  "a long request is accepted when an equal one is cancelled": async ({ store, other }) => {
    const first = new AbortController();
    let isHalf = (): void => {};
    const half = new Promise<void>((resolve) => {
      isHalf = resolve;
    });
    async function* slowly(): AsyncGenerator<NewJob> {
      yield* newJobs(1000);
      isHalf();
      await new Promise((_, reject) => {
        first.signal.addEventListener("abort", () => reject(new Error("given up")));
      });
    }
    const options = { isTaken: () => false, signal: first.signal };
    const givenUp = store.createBatch(newBatch(KEY), slowly(), () => "", options);
    await half;
    const second = accept(other, newJobs(1000), { ...KEY, onConflict: "fail" });
    first.abort();
    await assert.rejects(givenUp);
    const { batch, created } = await second;
    assert.deepEqual([created, batch.counts.submitted], [true, 1000]);
  },

  "a repeated request reserves no names": async ({ store, other }) => {
    await accept(store, newJobs(2), KEY);
    await accept(other, [...newJobs(2), newJob("more")], KEY);
    const { batch } = await accept(other, [newJob("more")]);
    assert.equal((await store.getJob(batch.id, 1))?.job.fileName, "more.docx");
  },

  "rejects a key that was used for another request with conflict": async ({ store, other }) => {
    const { batch } = await accept(store, newJobs(3), KEY, { hash: "one" });
    const made = newBatch(KEY);
    const created = other.createBatch(made, newJobs(3, "x"), () => "two", {
      isTaken: () => false,
    });
    await rejects(created, "conflict");
    assert.equal(await store.getBatch(made.id), null);
    const again = await accept(other, newJobs(3), KEY, { hash: "one" });
    assert.deepEqual(again, { batch, created: false });
  },

  "a key is known only within its tenant": async ({ store, other }) => {
    const first = await accept(store, newJobs(1), { ...KEY, tenant: "a" }, { hash: "one" });
    const second = await accept(other, newJobs(1), { ...KEY, tenant: "b" }, { hash: "two" });
    assert.deepEqual([first.created, second.created], [true, true]);
    assert.notEqual(first.batch.id, second.batch.id);
    assert.equal((await accept(other, newJobs(1), { ...KEY, tenant: "" })).created, true);
  },

  "tenants and keys are not confused, whatever characters they contain": async ({
    store,
    other,
  }) => {
    const pairs = [
      ["a", "b:c"],
      ["a:b", "c"],
      ["a\0b", "c"],
      ["a", "b\0c"],
      ["A", "b:c"],
      ["", "ä".normalize("NFC")],
      ["", "ä".normalize("NFD")],
      ["", ""],
    ] as const;
    for (const [tenant, idempotencyKey] of pairs) {
      const { created } = await accept(store, newJobs(1), { tenant, idempotencyKey });
      assert.equal(created, true, JSON.stringify([tenant, idempotencyKey]));
    }
    for (const [tenant, idempotencyKey] of pairs)
      assert.equal((await accept(other, newJobs(1), { tenant, idempotencyKey })).created, false);
  },

  "without a key, every request is a separate batch": async ({ store, other }) => {
    const first = await acceptId(store, newJobs(1));
    const second = await acceptId(other, newJobs(1));
    assert.notEqual(first, second);
    const { items } = await store.listBatches({ limit: 10 });
    assert.deepEqual(
      items.map(({ id }) => id),
      [second, first],
    );
  },

  "hash is called after the jobs have been read": async ({ store, other }) => {
    const submit = (handle: JobStore, count: number) => {
      let read = 0;
      async function* source() {
        for (const job of newJobs(count)) {
          read += 1;
          yield job;
        }
      }
      const options = { isTaken: () => false };
      return handle.createBatch(newBatch(KEY), source(), () => `hash of ${read}`, options);
    };
    assert.equal((await submit(store, 5)).created, true);
    await rejects(submit(other, 6), "conflict");
    await rejects(submit(store, 4), "conflict");
    assert.equal((await submit(other, 5)).created, false);
  },

  "if two handles accept requests with one key concurrently, one is accepted": async ({
    store,
    other,
  }) => {
    async function* source() {
      for (const job of newJobs(50)) {
        await new Promise(setImmediate);
        yield job;
      }
    }
    const handles = [store, other, store, other, other, store];
    const all = await Promise.all(handles.map((handle) => accept(handle, source(), KEY)));
    assert.equal(all.filter(({ created }) => created).length, 1);
    assert.equal(new Set(all.map(({ batch }) => batch.id)).size, 1);
    const { items } = await other.listBatches({ limit: 10 });
    assert.deepEqual(
      items.map(({ counts }) => counts.submitted),
      [50],
    );
    assert.equal((await completeAll(await openWorker(other))).length, 50);
  },
};
