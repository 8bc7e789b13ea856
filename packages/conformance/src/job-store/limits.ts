import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { foldName, type JobStore } from "@quire/contracts";
import { sameBytes } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  claimOne,
  complete,
  completeAll,
  countsOf,
  fail,
  input,
  jobOf,
  namesOf,
  newBatch,
  newJob,
  newJobs,
  numbers,
  openWorker,
  result,
} from "./samples.ts";

/** The size of an object key in S3, in bytes. */
const MAX_ID = 1024;
const MB = 1_000_000;

/** The cases about large numbers and sizes, by name. */
export const limitCases: Readonly<Record<string, JobStoreCase>> = {
  "jobs of many tenants are all made, and each tenant gets its turn": async ({ store, other }) => {
    const tenants = numbers(120).map((number) => `tenant ${number}`);
    for (const [index, tenant] of tenants.entries())
      await acceptId(index % 2 === 0 ? store : other, newJobs(3), { tenant, id: `of ${tenant}` });
    const worker = await openWorker(other);
    const first = await Promise.all(numbers(12).map(() => worker.claim(30)));
    const claims = first.flatMap(({ jobs }) => jobs);
    assert.equal(claims.length, 360);
    // Whatever the size of a turn, no tenant waits until most of the others have everything.
    const firsts = claims.slice(0, 180).map(({ tenant }) => tenant);
    assert.ok(new Set(firsts).size >= 60, `${new Set(firsts).size} tenants had a turn.`);
    for (const claim of claims) await complete(worker, claim);
    for (const tenant of tenants)
      assert.equal((await store.getBatch(`of ${tenant}`))?.counts.completed, 3);
  },

  "many batches of a tenant are accepted, listed and made": async ({ store, other }) => {
    const ids: string[] = [];
    for (const number of numbers(150))
      ids.push(await acceptId(number % 2 === 0 ? store : other, newJobs(1, `b${number}`)));
    const listed: string[] = [];
    for (let marker: string | null | undefined; marker !== null; ) {
      const page = await other.listBatches({ limit: 40, marker });
      listed.push(...page.items.map(({ id }) => id));
      marker = page.nextMarker;
    }
    assert.deepEqual(listed, ids.toReversed());
    const done = await completeAll(await openWorker(store));
    assert.deepEqual(done.map(({ batchId }) => batchId).sort(), ids.toSorted());
  },

  "long names, ids, tenants and keys are kept whole": async ({ store, other }) => {
    const [tenant, key, caller] = ["t", "k", "c"].map((letter) => letter + "ü".repeat(254));
    const long = `${"ordner/".repeat(140)}${"x".repeat(MAX_ID)}`.slice(0, MAX_ID);
    const name = `${"ñ".repeat(60)}${"n".repeat(130)}`;
    const made = newBatch({
      tenant: tenant ?? "",
      idempotencyKey: key ?? null,
      caller: caller ?? null,
      folder: { type: "folder", id: long },
      template: { type: "file", id: `${long.slice(1)}d`, version: "v".repeat(255) },
      settings: JSON.stringify({ note: "s".repeat(100_000) }),
    });
    const wants = [newJob(name), newJob(name), newJob(`${name.slice(0, -1)}m`)];
    const create = () =>
      store.createBatch(made, wants, () => "h".repeat(64), { isTaken: () => false });
    const { batch } = await create();
    const kept = await other.getBatch(made.id);
    assert.deepEqual(kept, batch);
    for (const field of ["tenant", "idempotencyKey", "caller", "folder", "settings"] as const)
      assert.deepEqual(kept?.[field], made[field]);
    assert.deepEqual(kept?.template, made.template);
    const names = await Promise.all([1, 2, 3].map((entry) => jobOf(other, made.id, entry)));
    assert.equal(names[0]?.fileName, `${name}.docx`);
    assert.equal(new Set(names.map(({ fileName }) => fileName)).size, 3);
    assert.equal((await create()).created, false);
    const query = { tenant: made.tenant, caller: caller ?? "", template: made.template.id };
    assert.equal((await other.listBatches({ ...query, limit: 10 })).items.length, 1);
    assert.equal((await completeAll(await openWorker(other))).length, 3);
  },

  "entries of several megabytes are kept whole, and count for maxBytes": async ({
    store,
    other,
  }) => {
    const sizes = [6 * MB, 1000, 3 * MB, 3 * MB];
    const inputs = sizes.map((size) => input({ bytes: randomBytes(size) }));
    const jobs = inputs.map((each, index) => newJob(`doc-${index}`, { input: each }));
    const { batch } = await accept(store, jobs);
    const worker = await openWorker(other);
    const taken: number[] = [];
    for (const expected of [1, 2, 1]) {
      const { jobs: claims } = await worker.claim(4, { maxBytes: 2 * MB });
      assert.equal(claims.length, expected);
      for (const { entry, input: data } of claims) {
        sameBytes(data.bytes, inputs[entry - 1]?.bytes ?? new Uint8Array());
        taken.push(entry);
      }
    }
    assert.deepEqual(taken, [1, 2, 3, 4]);
    const found = await store.getJob(batch.id, 3);
    sameBytes(found?.input?.bytes ?? new Uint8Array(), inputs[2]?.bytes ?? new Uint8Array());
  },

  "reports of the greatest size are kept whole": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(2));
    const worker = await openWorker(other);
    const message = `${"Ä".repeat(30_000)}.`;
    const warnings = [{ severity: "warning", code: "skipped", message }] as const;
    for (const entry of [1, 2]) {
      const claim = await claimOne(worker);
      const { outputFile, ...made } = result(claim.fileName, { warnings });
      await worker.note(claim, { ...made, name: claim.fileName, size: outputFile.size });
      await worker.settle(claim, { type: "completed", result: { ...made, outputFile } });
      assert.deepEqual((await jobOf(store, id, entry)).result?.warnings, warnings);
    }
  },
};

/** The cases about batches that want equal names at the same time, by name. */
export const sameNameCases: Readonly<Record<string, JobStoreCase>> = {
  "many small batches that are accepted at once never share a name": async ({ store, other }) => {
    let before: string[] = [];
    for (const round of numbers(6)) {
      const ids = numbers(16).map((number) =>
        acceptId(number % 2 === 0 ? store : other, wanted("a", "b", "A")),
      );
      // The names of these batches may be used again from now on.
      const ended = before.map((id, index) =>
        (index % 2 === 0 ? store : other).cancelBatch(id).then(() => {}),
      );
      before = await Promise.all(ids);
      await Promise.all(ended);
      const names = (await Promise.all(before.map((id) => namesOf(other, id)))).flat();
      assertDifferent(names, 48, `in round ${round}`);
    }
  },

  "if many batches want one name at once and must not be renamed, one gets it": async ({
    store,
    other,
  }) => {
    for (const name of ["a", "b", "c"]) {
      const all = await Promise.all(
        numbers(12).map((number) =>
          accept(number % 2 === 0 ? store : other, wanted(name), { onConflict: "fail" }),
        ),
      );
      const got = all.filter(({ batch }) => batch.counts.submitted === 1);
      assert.equal(got.length, 1, `${got.length} batches have the name.`);
    }
  },

  "retries and new batches that want one name at once get different names": async ({
    store,
    other,
  }) => {
    const worker = await openWorker(store);
    const failed: string[] = [];
    for (const _ of numbers(6)) {
      failed.push(await acceptId(store, wanted("a", "b")));
      for (const claim of (await worker.claim(2)).jobs) await fail(worker, claim);
    }
    const retry = (handle: JobStore, id: string) =>
      handle.retryFailed(id, { isTaken: () => false }).then(() => id);
    const ids = await Promise.all(
      failed.flatMap((id, index) => {
        const [one, two] = index % 2 === 0 ? [store, other] : [other, store];
        return [retry(one, id), acceptId(two, wanted("a", "b"))];
      }),
    );
    const names = (await Promise.all(ids.map((id) => namesOf(other, id)))).flat();
    assertDifferent(names, 24, "after the retries");
    assert.equal((await completeAll(worker)).length, 24);
    for (const id of ids) assert.deepEqual(await countsOf(store, id), { completed: 2 });
  },
};

function wanted(...names: readonly string[]) {
  return names.map((name) => newJob(name));
}

function assertDifferent(names: readonly (string | null)[], count: number, when: string): void {
  const folded = names.map((name) => foldName(name ?? ""));
  const twice = names.filter((_, index) => folded.indexOf(folded[index] ?? "") !== index);
  assert.deepEqual(twice, [], `No two jobs should have one name ${when}.`);
  assert.equal(names.length, count);
}
