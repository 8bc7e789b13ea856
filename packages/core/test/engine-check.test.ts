import { describe, expect, test } from "vitest";
import {
  type BatchRequest,
  createEngine,
  memoryStorage,
  QuireError,
  renderInProcess,
  renderPool,
  type Storage,
} from "../src/index.ts";
import { docx, p } from "./support/docx.ts";
import {
  all,
  echoConverter,
  entry,
  names,
  place,
  refusal,
  request,
  template,
  withCreate,
} from "./support/engine.ts";
import { oneField } from "./support/pdf.ts";
import { png } from "./support/pictures.ts";
import { poolProcesses } from "./support/pool.ts";

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><broken></svg>');

const files = {
  "letter.docx": template,
  "order.docx": docx({
    body:
      p("{{name}} {{logo :: optional}} {{if paid}}{{amount :: number('0.00')}}{{endif}}") +
      p("{{for item in items}}{{item.title}}{{endfor}} {{day :: optional}} {looks like a tag"),
  }),
  "broken.docx": docx({ body: p("{{if a}}") }),
  "including.docx": docx({ body: p('{{include "no.docx"}}') }),
  "text.docx": Buffer.from("hi"),
  "out/taken.docx": template,
  "logo.png": png(4, 4),
  "no-image.png": Buffer.from("hello"),
};

async function mixedPlace(): Promise<Storage> {
  return memoryStorage({
    files: {
      ...files,
      "form.pdf": await oneField("name", (field) => field.setMaxLength(5)),
      "broken.pdf": Buffer.from("%PDF-1.7"),
    },
  });
}

const whole = { name: "Ann", paid: true, amount: 5, items: [{ title: "Tea" }] };

/** Entries of which hardly two come to the same. */
const MIXED: readonly object[] = [
  entry("fine", whole),
  entry("taken", whole),
  entry("Fine", whole),
  entry("fine", {}),
  entry("object", { ...whole, name: { first: "Ann" } }),
  entry("not a list", { ...whole, items: "Tea", name: 7 }),
  entry("not a number", { ...whole, amount: "much" }),
  entry("unused", { ...whole, more: 1 }),
  entry("picture", { ...whole, logo: { type: "file", id: "logo.png" } }),
  entry("no picture", { ...whole, logo: { type: "file", id: "no-image.png" } }),
  entry("lost picture", { ...whole, logo: { type: "file", id: "no.png" } }),
  entry("bad drawing", { ...whole, logo: SVG.toString("base64") }),
  entry("dated", { ...whole, day: new Date(0) }),
  entry("code", { ...whole, name: () => "Ann" }),
  { ...entry("german", whole), locale: "de-DE", time_zone: "Europe/Berlin" },
  entry("long", { ...whole, name: "Annabella" }),
];

const REQUESTS: readonly [string, Partial<BatchRequest>][] = [
  ["a letter", {}],
  ["an order", { file: { type: "file", id: "order.docx" } }],
  ["an order with gaps", { file: { type: "file", id: "order.docx" }, on_missing: "blank" }],
  ["an order without gaps", { file: { type: "file", id: "order.docx" }, on_missing: "fail" }],
  ["names that must stay", { on_conflict: "fail" }],
  ["a wrong template", { file: { type: "file", id: "broken.docx" } }],
  ["a template that includes what is not there", { file: { type: "file", id: "including.docx" } }],
  ["a text in place of a template", { file: { type: "file", id: "text.docx" } }],
  ["delimiters that cannot be", { delimiters: { start: "a", end: "a" } }],
  ["a form", { file: { type: "file", id: "form.pdf" }, output_type: "pdf" }],
  ["a form as Word document", { file: { type: "file", id: "form.pdf" } }],
  [
    "a form with an option for conversions",
    { file: { type: "file", id: "form.pdf" }, output_type: "pdf", pdf: { open_password: "x" } },
  ],
  ["a wrong form", { file: { type: "file", id: "broken.pdf" }, output_type: "pdf" }],
];

describe("checking a batch", () => {
  test.each(REQUESTS)("tells of %s what a run tells", async (_, more) => {
    const storage = await mixedPlace();
    await using engine = createEngine({ storage });
    const asked = request(MIXED, more);
    const check = await engine.checkBatch(asked);
    const { id } = await engine.createBatch(asked);
    const jobs = await all(engine.jobs(id));
    expect(check.entries.map(({ fileName, ...told }) => told)).toEqual(
      jobs.map(({ entry, requestedName, errors, warnings }) => ({
        entry,
        requestedName,
        errors,
        warnings,
      })),
    );
    for (const [index, { outputFile }] of jobs.entries()) {
      if (outputFile) expect(check.entries[index]?.fileName).toBe(outputFile.name);
    }
  });

  test("tells of a stream what a run tells, wrong entries too", async () => {
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
    await using engine = createEngine({ storage: place(), renderer: renderInProcess() });
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

  test("tells the mistakes of the template beside those of the entries", async () => {
    await using engine = createEngine({ storage: place(), renderer: renderInProcess() });
    const more = { file: { type: "file", id: "broken.docx" } } as const;
    const { errors, entries } = await engine.checkBatch(request([entry("a"), entry("b")], more));
    expect(errors.map(({ code }) => code)).toEqual(["unclosed_block"]);
    expect(entries.map((each) => each.errors)).toEqual([errors, errors]);
    expect((await engine.checkBatch(request([entry("a", {})]))).errors).toEqual([]);
  });

  test("leaves nothing behind", async () => {
    const storage = place();
    await using engine = createEngine({ storage, renderer: renderInProcess() });
    await engine.checkBatch(request([entry("a")]));
    expect(await names(storage)).toEqual([]);
    expect((await engine.listBatches()).items).toEqual([]);
    const { entries } = await engine.checkBatch(request([entry("a")]));
    expect(entries[0]?.fileName).toBe("a.docx");
  });

  test("refuses what a batch is refused for, with the same words", async () => {
    await using engine = createEngine({ storage: place(), renderer: renderInProcess() });
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

  test("asks no converter", async () => {
    const converter = echoConverter(() => expect.fail());
    await using engine = createEngine({ storage: place(), converter });
    const { entries } = await engine.checkBatch(request([entry("a")], { output_type: "pdf" }));
    expect(entries).toMatchObject([{ fileName: "a.pdf", errors: [], warnings: [] }]);
  });

  test("tells of an entry that its process does not survive, and goes on", async () => {
    const inner = place();
    const storage: Storage = {
      ...withCreate(inner, inner.create.bind(inner)),
      async read(file, options) {
        if (file.id !== "logo.png") return inner.read(file, options);
        for (const pid of poolProcesses()) process.kill(pid, "SIGKILL");
        return inner.read({ type: "file", id: "letter.docx" }, options);
      },
    };
    await using engine = createEngine({ storage, renderer: renderPool({ processes: 1 }) });
    const fatal = { name: { type: "file", id: "logo.png" } };
    const asked = request([entry("a"), entry("b", fatal), entry("c")]);
    const { errors, entries } = await engine.checkBatch(asked);
    expect([errors, ...entries.map((each) => each.errors.map(({ code }) => code))]).toEqual([
      [],
      [],
      ["poison"],
      [],
    ]);
    expect(entries[1]?.errors[0]?.message).toMatch(/could not be checked/);
  });

  test("rejects what may pass and what concerns no entry", async () => {
    const inner = place();
    const lost = new QuireError("storage_failed", "The disk is gone.", { retryable: true });
    const storage: Storage = {
      ...withCreate(inner, inner.create.bind(inner)),
      read: (file, options) =>
        file.id === "logo.png" ? Promise.reject(lost) : inner.read(file, options),
    };
    const engine = createEngine({ storage });
    const asking = request([entry("a"), entry("b", { name: { type: "file", id: "logo.png" } })]);
    expect((await refusal(engine.checkBatch(asking))).code).toBe("storage_failed");
    const signal = AbortSignal.abort();
    expect((await refusal(engine.checkBatch(asking, { signal }))).code).toBe("aborted");
    await engine.close();
    expect((await refusal(engine.checkBatch(asking))).code).toBe("unavailable");
  });

  test("is given up with its caller and with the engine", async () => {
    const inner = place();
    const reading = Promise.withResolvers<void>();
    const storage: Storage = {
      ...withCreate(inner, inner.create.bind(inner)),
      async read(file, options) {
        if (file.id !== "logo.png") return inner.read(file, options);
        reading.resolve();
        return new Promise(() => {});
      },
    };
    const engine = createEngine({ storage });
    const asking = request([entry("b", { name: { type: "file", id: "logo.png" } })]);
    const abort = new AbortController();
    const given = refusal(engine.checkBatch(asking, { signal: abort.signal }));
    await reading.promise;
    abort.abort();
    expect((await given).code).toBe("aborted");
    const left = refusal(engine.checkBatch(asking));
    await engine.close({ graceMs: 50 });
    expect((await left).code).toBe("aborted");
  });
});
