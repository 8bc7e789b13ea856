import { describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import {
  everyField,
  pageTexts,
  rawForm,
  rawStream,
  textField,
} from "../../pdf/test/support/pdf.ts";
import { pool } from "../../render-pool/test/support/pool.ts";
import { poolProcesses } from "../../render-pool/test/support/pool-program.ts";
import {
  createEngine,
  memoryStorage,
  type Renderer,
  renderInProcess,
  renderPool,
  type Storage,
} from "../src/index.ts";
import { all, entry, place, request, withCreate } from "./support/engine.ts";
import { poolChecksAsItRuns, REQUESTS } from "./support/mixed-batch.ts";

const at = (id: string) => ({ type: "file", id }) as const;

/** Returns a storage in which reading the file `fatal` kills the processes of all pools. */
function fatalPlace(): Storage {
  const inner = place();
  return {
    ...withCreate(inner, inner.create.bind(inner)),
    async read(file, options) {
      if (file.id !== "fatal") return inner.read(file, options);
      for (const pid of poolProcesses()) process.kill(pid, "SIGKILL");
      return inner.read({ type: "file", id: "letter.docx" }, options);
    },
  };
}

const FATAL = { name: { type: "file", id: "fatal" } };

describe("an engine with the default renderer", () => {
  test("creates documents in processes, and only a document that crashes its process fails", async () => {
    const engine = createEngine({ storage: fatalPlace() });
    const asked = request([entry("a"), entry("b", FATAL), entry("c")]);
    const jobs = await all(engine.jobs((await engine.createBatch(asked)).id));
    expect(jobs.map(({ failure }) => failure?.code)).toEqual([
      undefined,
      "render_failed",
      undefined,
    ]);
    // The kill may also have ended the process that would create later documents.
    const more = request([entry("d")]);
    expect(await all(engine.jobs((await engine.createBatch(more)).id))).toMatchObject([
      { failure: null },
    ]);
    expect(poolProcesses()).not.toEqual([]);
    await engine.close();
    expect(poolProcesses()).toEqual([]);
  });
});

describe("a poisonous document", () => {
  test("fails only its own job, and the other documents of the batch are created", async () => {
    await using engine = createEngine({ storage: place(), renderer: pool({ heapLimitMb: 36 }) });
    const list = Array.from({ length: 3 }, () => `\n${"x".repeat(14_000_000)}`);
    const batch = await engine.createBatch(
      request([entry("a"), entry("b", { name: "Bo", list }), entry("c"), entry("d")]),
    );
    const jobs = await all(engine.jobs(batch.id));
    expect(jobs.map(({ failure }) => failure?.code)).toEqual([
      undefined,
      "limit_exceeded",
      undefined,
      undefined,
    ]);
  }, 60_000);
});

describe("checking a batch", () => {
  test("in processes reports the same as a run, for a request of each kind", () =>
    poolChecksAsItRuns(
      REQUESTS.filter(([name]) => ["an order", "a wrong template", "a form"].includes(name)),
    ));

  test("reports an entry that crashes its process, and continues", async () => {
    const renderer = renderPool({ processes: 1 });
    await using engine = createEngine({ storage: fatalPlace(), renderer });
    const asked = request([entry("a"), entry("b", FATAL), entry("c")]);
    const { errors, entries } = await engine.checkBatch(asked);
    expect([errors, ...entries.map((each) => each.errors.map(({ code }) => code))]).toEqual([
      [],
      [],
      ["poison"],
      [],
    ]);
    expect(entries[1]?.errors[0]?.message).toMatch(/could not be checked/);
  });

  test("is cancelled with its caller and with the engine", async () => {
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
    const engine = createEngine({ storage, renderer: renderPool({ processes: 1 }) });
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

describe("inspecting a template", () => {
  test.each([
    ["a pool", () => renderPool({ processes: 1 })],
    ["this process", renderInProcess],
  ])(
    "that is invalid reports all its mistakes, rendered in %s",
    async (_, renderer: () => Renderer) => {
      const files = {
        "wrong.docx": docx({ body: p("{{if a}}{{b c}}") }),
        "missing.docx": docx({ body: p('{{include "no.docx"}}') }),
        "text.docx": Buffer.from("hi"),
      };
      await using engine = createEngine({
        storage: memoryStorage({ files }),
        renderer: renderer(),
      });
      const codes = async (id: string): Promise<string[]> => {
        const { errors, tags, schema } = await engine.inspectTemplate(at(id));
        expect([tags, schema]).toEqual([[], {}]);
        return errors.map(({ code }) => code);
      };
      expect(await codes("wrong.docx")).toEqual(["tag_syntax", "unclosed_block"]);
      expect(await codes("missing.docx")).toHaveLength(1);
      expect(await codes("text.docx")).toEqual(["invalid_template"]);
    },
  );

  test("rereads the same version of a long template for the process", async () => {
    const objects = [rawStream("", "x".repeat(1_200_000))];
    const files = { "long.pdf": rawForm([textField("name")], { objects }) };
    const inner = memoryStorage({ files, folders: ["out"] });
    const versions: (string | undefined)[] = [];
    const storage: Storage = {
      ...withCreate(inner, inner.create.bind(inner)),
      read(file, options) {
        versions.push(options?.version);
        return inner.read(file, options);
      },
    };
    await using engine = createEngine({ storage, renderer: renderPool({ processes: 1 }) });
    const inspected = await engine.inspectTemplate(at("long.pdf"));
    expect(inspected.tags.map(({ tag_content }) => tag_content)).toEqual(["name"]);
    expect(versions).toEqual([undefined, inspected.file.version]);
    const template = { file: at("long.pdf"), output_type: "pdf" } as const;
    expect(await engine.checkBatch({ ...request([entry("a")]), ...template })).toMatchObject({
      errors: [],
    });
    expect(versions.slice(2)).toEqual([undefined]);
  });

  test("rejects a template that exceeds the limits of its process", async () => {
    const paragraphs = Array.from({ length: 4000 }, (_, index) => p(`{{a${index}.b}}`)).join("");
    const storage = memoryStorage({ files: { "long.docx": docx({ body: paragraphs }) } });
    const renderer = renderPool({ processes: 1, compileTimeoutMs: 1 });
    await using engine = createEngine({ storage, renderer });
    expect((await refusal(engine.inspectTemplate(at("long.docx")))).code).toBe("timeout");
  });
});

test("a pool fills forms exactly as this process does", async () => {
  await using pool = {
    renderer: renderPool({ processes: 1 }),
    [Symbol.asyncDispose]: () => pool.renderer.close(),
  };
  const bytes = await everyField();
  const data = {
    customer: { name: "Ann" },
    notes: "x",
    agreed: true,
    size: "small",
    country: "Brazil",
    fruits: "Apple",
    total: 1,
  };
  const metadata = { title: "An order", date: "2026-11-20T15:30:00Z" };
  for (const options of [{ flatten: false }, { flatten: true }, { metadata }]) {
    const [pooled, own] = await Promise.all(
      [pool.renderer, renderInProcess()].map((each) => each.open(bytes).render(data, options)),
    );
    expect(pooled).toEqual(own);
    expect(pooled?.pages).toBe(2);
  }
  const missing = await pool.renderer.open(bytes).render({}, { onMissing: "blank", flatten: true });
  expect(missing.warnings.length).toBe(7);
  expect((await pageTexts(missing.bytes))[0]?.trim()).toBe("");
  await expect(pool.renderer.open(rawForm([])).render({})).rejects.toMatchObject({
    code: "invalid_template",
  });
  await expect(
    pool.renderer.open(rawForm([textField("a")])).render({ a: {} }),
  ).rejects.toMatchObject({ code: "invalid_data" });
});
