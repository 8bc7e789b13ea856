import { describe, expect, test } from "vitest";
import { createEngine, type Job, QuireError } from "../src/index.ts";
import { all, entry, place, refusal, request } from "./support/engine.ts";

describe("a streamed batch", () => {
  test("is read no further ahead than there is work, and bad entries fail alone", async () => {
    let given = 0;
    async function* entries() {
      for (let index = 0; index < 100; index++) {
        given += 1;
        if (index === 10) yield { generated_file_name: "x/y", user_input: {} };
        else if (index === 20) yield new QuireError("invalid_data", "Line 21 is no JSON.");
        else if (index === 30) yield 5;
        else yield entry(`n${index}`);
      }
    }
    await using engine = createEngine({ storage: place(), concurrency: 2 });
    const batch = await engine.createBatch(request(entries()));
    const failures: unknown[] = [];
    let ended = 0;
    let ahead = 0;
    for await (const job of engine.jobs(batch.id)) {
      ended += 1;
      ahead = Math.max(ahead, given - ended);
      if (job.failure !== null)
        failures.push([job.entry, job.failure.code, job.errors[0]?.message]);
    }
    expect(ended).toBe(100);
    expect(ahead).toBeLessThan(10);
    expect(failures).toEqual([
      [11, "item_name_invalid", expect.stringContaining('"x/y" holds the character /')],
      [21, "invalid_data", "Line 21 is no JSON."],
      [31, "invalid_request", expect.any(String)],
    ]);
  });

  test("whose source breaks keeps what was made and tells the reason at the end", async () => {
    async function* entries() {
      yield entry("a");
      throw new Error("disk gone");
    }
    await using engine = createEngine({ storage: place() });
    const batch = await engine.createBatch(request(entries()));
    const jobs: Job[] = [];
    const error = await refusal(
      (async () => {
        for await (const job of engine.jobs(batch.id)) jobs.push(job);
      })(),
    );
    expect(jobs.map(({ status }) => status)).toEqual(["completed"]);
    expect(error.cause).toEqual(new Error("disk gone"));
  });

  test("that is aborted ends, also while its source keeps it waiting", async () => {
    let returned = false;
    const source: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          returned = true;
          return { done: true, value: undefined };
        },
      }),
    };
    await using engine = createEngine({ storage: place() });
    const abort = new AbortController();
    const batch = await engine.createBatch(request(source), { signal: abort.signal });
    abort.abort();
    expect((await refusal(all(engine.jobs(batch.id)))).code).toBe("aborted");
    expect(await engine.getBatch(batch.id)).toMatchObject({
      status: "finished",
      failure: expect.objectContaining({ code: "aborted" }),
    });
    expect(returned).toBe(true);
  });
});

test("a streamed batch lets go the jobs that its only reader has seen", async () => {
  async function* entries() {
    for (let index = 0; index < 2500; index++) yield 5;
  }
  await using engine = createEngine({ storage: place() });
  const batch = await engine.createBatch(request(entries()));
  expect(await all(engine.jobs(batch.id))).toHaveLength(2500);
  expect(await all(engine.jobs(batch.id))).toHaveLength(500);
  expect((await engine.getBatch(batch.id)).counts.failed).toBe(2500);
});
