import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { QuireError } from "../src/index.ts";
import { all, entry, makeEngine, names, place, request } from "./support/engine.ts";

describe("a streamed batch", () => {
  test("is read completely before it is accepted, and invalid entries fail individually", async () => {
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
    await using engine = makeEngine({ storage: place(), concurrency: 2 });
    const batch = await engine.createBatch(request(entries()));
    expect(given).toBe(100);
    const jobs = await all(engine.jobs(batch.id));
    const failures = jobs.flatMap(({ entry, failure, errors }) =>
      failure === null ? [] : [[entry, failure.code, errors[0]?.message]],
    );
    expect(jobs).toHaveLength(100);
    expect(failures).toEqual([
      [11, "item_name_invalid", expect.stringContaining('"x/y" contains the character /')],
      [21, "invalid_data", "Line 21 is no JSON."],
      [31, "invalid_request", expect.any(String)],
    ]);
  });

  test("whose source throws is rejected with the reason", async () => {
    async function* entries() {
      yield entry("a");
      throw new Error("disk gone");
    }
    const storage = place();
    await using engine = makeEngine({ storage });
    const error = await refusal(engine.createBatch(request(entries())));
    expect(error).toMatchObject({ code: "invalid_data", cause: new Error("disk gone") });
    expect((await engine.listBatches()).items).toEqual([]);
    expect(await names(storage)).toEqual([]);
  });

  test("can be aborted, also while it waits for its source", async () => {
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
    await using engine = makeEngine({ storage: place() });
    const abort = new AbortController();
    const batch = engine.createBatch(request(source), { signal: abort.signal });
    setTimeout(() => abort.abort(), 10);
    expect((await refusal(batch)).code).toBe("aborted");
    expect(returned).toBe(true);
    expect((await engine.listBatches()).items).toEqual([]);
  });

  test("without entries is rejected", async () => {
    async function* entries() {}
    await using engine = makeEngine({ storage: place() });
    expect((await refusal(engine.createBatch(request(entries())))).code).toBe("invalid_request");
  });

  test("with only invalid entries finishes immediately, and each reader gets all jobs", async () => {
    async function* entries() {
      for (let index = 0; index < 2500; index++) yield 5;
    }
    await using engine = makeEngine({ storage: place() });
    const batch = await engine.createBatch(request(entries()));
    expect(batch.status).toBe("finished");
    expect(await all(engine.jobs(batch.id))).toHaveLength(2500);
    expect(await all(engine.jobs(batch.id))).toHaveLength(2500);
    expect(batch.counts.failed).toBe(2500);
  });
});
