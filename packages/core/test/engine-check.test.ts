import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { type BatchRequest, QuireError, type Storage } from "../src/index.ts";
import {
  all,
  echoConverter,
  entry,
  makeEngine,
  names,
  place,
  request,
  withCreate,
} from "./support/engine.ts";
import { checksAsItRuns, MIXED, mixedPlace, REQUESTS } from "./support/mixed-batch.ts";

describe("checking a batch", () => {
  test.each(REQUESTS)("reports the same as a run for %s", async (_, more) => {
    await using engine = makeEngine({ storage: await mixedPlace() });
    await checksAsItRuns(engine, request(MIXED, more));
  });

  test("reports the same as a run for a stream with invalid entries", async () => {
    const entries = [
      entry("a"),
      { generated_file_name: "b" },
      entry("../c"),
      new QuireError("invalid_data", "Line 4 is no JSON."),
      5,
      entry("a", {}),
    ];
    const streamed = () => ({
      ...request([]),
      document_generation_data: (async function* () {
        yield* entries;
      })(),
    });
    await using engine = makeEngine({ storage: place() });
    const check = await engine.checkBatch(streamed());
    const jobs = await all(engine.jobs((await engine.createBatch(streamed())).id));
    expect(check.entries.map(({ errors, requestedName }) => [requestedName, errors])).toEqual(
      jobs.map(({ errors, requestedName }) => [requestedName, errors]),
    );
    expect(check.entries.map(({ fileName }) => fileName)).toEqual([
      "a.docx",
      null,
      null,
      null,
      null,
      "a (1).docx",
    ]);
  });

  test("reports the errors of the template separately from the errors of the entries", async () => {
    await using engine = makeEngine({ storage: place() });
    const more = { file: { type: "file", id: "broken.docx" } } as const;
    const { errors, entries } = await engine.checkBatch(request([entry("a"), entry("b")], more));
    expect(errors.map(({ code }) => code)).toEqual(["unclosed_block"]);
    expect(entries.map((each) => each.errors)).toEqual([errors, errors]);
    expect((await engine.checkBatch(request([entry("a", {})]))).errors).toEqual([]);
  });

  test("creates no files, batches or reservations", async () => {
    const storage = place();
    await using engine = makeEngine({ storage });
    await engine.checkBatch(request([entry("a")]));
    expect(await names(storage)).toEqual([]);
    expect((await engine.listBatches()).items).toEqual([]);
    const { entries } = await engine.checkBatch(request([entry("a")]));
    expect(entries[0]?.fileName).toBe("a.docx");
  });

  test("rejects the same requests as createBatch, with the same messages", async () => {
    await using engine = makeEngine({ storage: place() });
    const wrong: BatchRequest[] = [
      { input_source: "web", document_generation_data: [entry("a/b"), {}] } as never,
      request([]),
      request([entry("..")]),
      request([entry("a")], { file: { type: "file", id: "no.docx" } }),
      request([entry("a")], { destination_folder: { type: "folder", id: "no" } }),
      request([entry("a")], { file_version: { type: "file_version", id: "0" } }),
      request([entry("a")], { output_type: "pdf" }),
      { ...request([]), document_generation_data: (async function* () {})() } as never,
    ];
    for (const each of wrong) {
      const [checked, accepted] = await Promise.all([
        refusal(engine.checkBatch(each)),
        refusal(engine.createBatch(each)),
      ]);
      expect([checked.code, checked.message, checked.diagnostics]).toEqual([
        accepted.code,
        accepted.message,
        accepted.diagnostics,
      ]);
    }
  });

  test("does not use the converter", async () => {
    const converter = echoConverter(() => expect.fail());
    await using engine = makeEngine({ storage: place(), converter });
    const { entries } = await engine.checkBatch(request([entry("a")], { output_type: "pdf" }));
    expect(entries).toMatchObject([{ fileName: "a.pdf", errors: [], warnings: [] }]);
  });

  test("rejects for temporary failures and failures that do not concern an entry", async () => {
    const inner = place();
    const lost = new QuireError("storage_failed", "The disk is gone.", { retryable: true });
    const storage: Storage = {
      ...withCreate(inner, inner.create.bind(inner)),
      read: (file, options) =>
        file.id === "logo.png" ? Promise.reject(lost) : inner.read(file, options),
    };
    const engine = makeEngine({ storage });
    const asking = request([entry("a"), entry("b", { name: { type: "file", id: "logo.png" } })]);
    expect((await refusal(engine.checkBatch(asking))).code).toBe("storage_failed");
    const signal = AbortSignal.abort();
    expect((await refusal(engine.checkBatch(asking, { signal }))).code).toBe("aborted");
    await engine.close();
    expect((await refusal(engine.checkBatch(asking))).code).toBe("unavailable");
  });
});
