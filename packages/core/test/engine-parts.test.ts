/** Engines that divide the entries of a request without a common job store. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import type { BatchPart, BatchRequest, Job, Storage } from "../src/index.ts";
import { all, entry, makeEngine, names, place, request, template } from "./support/engine.ts";

const OUT = { type: "folder", id: "out" } as const;

/** The outcome of a job without its place in the batch. */
function outcome({ requestedName, outputFile, failure }: Job) {
  return [requestedName, outputFile?.name ?? failure?.code];
}

async function made(storage: Storage, asked: BatchRequest, part?: BatchPart) {
  await using engine = makeEngine({ storage });
  const { id } = await engine.createBatch(asked, part === undefined ? {} : { part });
  return (await all(engine.jobs(id))).map(outcome);
}

async function* streamed(entries: readonly unknown[]): AsyncGenerator<unknown> {
  yield* entries;
}

function asked(entries: readonly unknown[], policy: "rename" | "fail"): BatchRequest {
  return request(streamed(entries), { on_conflict: policy });
}

/** Names that often clash: by case, by Unicode normalization, with replacements, and invalid ones. */
const name = fc.constantFrom(
  "a",
  "A",
  "a.docx",
  "a (1)",
  "a (2)",
  "A (1).DOCX",
  "\u00e9",
  "e\u0301",
  "b",
  "x/y",
  "",
  "ſ",
  "s",
);
const item = fc.oneof(
  { weight: 9, arbitrary: name.map((each) => entry(each)) },
  { weight: 1, arbitrary: fc.constant(5) },
);

describe("the parts of a request", () => {
  test("together get the names of one batch, in any order and with any number of parts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 1, maxLength: 14 }),
        fc.constantFrom("rename" as const, "fail" as const),
        fc.array(fc.nat(13), { maxLength: 3 }),
        fc.boolean(),
        async (entries, policy, cuts, isReversed) => {
          const starts = [...new Set([0, ...cuts.filter((cut) => cut < entries.length)])];
          starts.sort((a, b) => a - b);
          const parts = starts.map((start, index) => ({
            first: start + 1,
            last: starts[index + 1] ?? entries.length,
          }));
          const [whole, divided] = [place(), place()];
          const expected = await made(whole, asked(entries, policy));
          const found = new Map<number, unknown[]>();
          for (const part of isReversed ? parts.toReversed() : parts) {
            found.set(part.first, await made(divided, asked(entries, policy), part));
          }
          expect(parts.flatMap(({ first }) => found.get(first) ?? [])).toEqual(expected);
          expect((await names(divided)).sort()).toEqual((await names(whole)).sort());
        },
      ),
      { numRuns: manyRuns(40, 1000) },
    );
  });

  test("may also be parts of an array, and end with its last entry", async () => {
    const entries = ["a", "a", "a"].map((each) => entry(each));
    const part = { first: 2, last: 9 };
    expect(await made(place(), request(entries), part)).toEqual([
      ["a", "a (1).docx"],
      ["a", "a (2).docx"],
    ]);
  });

  test("never get another name because of a file in the folder: the job fails", async () => {
    const storage = place();
    await storage.create(OUT, "A.docx", template);
    const entries = ["a", "a", "b"].map((each) => entry(each));
    expect(await made(storage, request(entries), { first: 1, last: 3 })).toEqual([
      ["a", "conflict"],
      ["a", "a (1).docx"],
      ["b", "b.docx"],
    ]);
  });

  test("do not give the name of another part to a failed job that is retried", async () => {
    await using engine = makeEngine({ storage: place() });
    const entries = ["a", "a"].map((each) => entry(each));
    const asked = request(entries, { on_conflict: "fail" });
    const { id } = await engine.createBatch(asked, { part: { first: 2, last: 2 } });
    expect((await all(engine.jobs(id))).map(outcome)).toEqual([["a", "conflict"]]);
    expect((await engine.retryFailed(id)).status).toBe("finished");
    expect((await all(engine.jobs(id))).map(outcome)).toEqual([["a", "conflict"]]);
  });

  test("are different requests for an idempotency key", async () => {
    await using engine = makeEngine({ storage: place() });
    const entries = ["a", "b"].map((each) => entry(each));
    const submit = (part: BatchPart) =>
      engine.createBatch(request(entries), { idempotencyKey: "k", part });
    const { id } = await submit({ first: 1, last: 1 });
    expect((await submit({ first: 1, last: 1 })).id).toBe(id);
    expect((await refusal(submit({ first: 2, last: 2 }))).code).toBe("conflict");
  });

  test.each([
    { first: 0, last: 1 },
    { first: 3, last: 2 },
    { first: 1.5, last: 2 },
    { first: 1, last: Number.POSITIVE_INFINITY },
  ])("such as %j are rejected", async (part) => {
    await using engine = makeEngine({ storage: place() });
    const error = await refusal(engine.createBatch(request([entry("a")]), { part }));
    expect([error.code, error.message]).toEqual([
      "invalid_request",
      expect.stringContaining("1 ≤ first ≤ last"),
    ]);
  });
});
