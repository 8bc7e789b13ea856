import { readFileSync } from "node:fs";
import { QuireError } from "@quire/contracts";
import { describe, expect, test } from "vitest";
import { Random } from "../../contracts/test/support/random.ts";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, linesOf, p } from "../../ooxml/test/support/docx.ts";
import { png } from "../../ooxml/test/support/pictures.ts";
import { rawForm, rawStream, textField } from "../../pdf/test/support/pdf.ts";
import { renderInProcess, renderPool } from "../src/index.ts";
import { inProcess, pool } from "./support/pool.ts";
import { ASKING, LETTER } from "./support/pool-program.ts";

const EXAMPLES = new URL("../../../examples/", import.meta.url);

function example(path: string): Buffer {
  return readFileSync(new URL(path, EXAMPLES));
}

describe.concurrent("a pool", () => {
  test("renders the examples exactly as this process does", async () => {
    await using renderer = pool();
    const [{ user_input: invoice }] = JSON.parse(example("data/invoices.json").toString());
    for (const [name, data] of [
      ["letter", JSON.parse(example("data/letter.json").toString())],
      ["contract", JSON.parse(example("data/contract.json").toString())],
      ["invoice", invoice],
      ["invoice", {}],
    ]) {
      const bytes = example(`templates/${name}.docx`);
      const here = await inProcess(bytes, data);
      const there = await renderer.open(bytes).render(data);
      expect(Buffer.compare(here.bytes, there.bytes)).toBe(0);
      expect(there.warnings).toEqual(here.warnings);
    }
  });

  test("renders three hundred documents of three templates with a cache for two", async () => {
    await using renderer = pool({ cachedTemplates: 2 });
    const random = new Random(7, 0);
    const templates = ["Dear", "Hello", "Ave"].map((greeting) => ({
      greeting,
      open: renderer.open(docx({ body: p(`${greeting} {{name}}`) })),
    }));
    await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const { greeting, open } = templates[random.below(3)] ?? expect.fail();
        const { bytes } = await open.render({ name: `N${index}` });
        expect(linesOf(bytes)).toEqual([`${greeting} N${index}`]);
      }),
    );
  }, 60_000);

  test("reports an invalid template and invalid data as this process does", async () => {
    await using renderer = pool({ processes: 1 });
    const cases: [Uint8Array, Record<string, unknown>][] = [
      [docx({ body: p("{{if a}}{{b c}}") }), {}],
      [Buffer.from("no document"), {}],
      [LETTER, { name: { first: "Ann" } }],
    ];
    for (const [bytes, data] of cases) {
      const there = renderer.open(bytes);
      const here = await refusal(inProcess(bytes, data));
      for (const error of [await refusal(there.render(data)), await refusal(there.render(data))]) {
        expect([error.code, error.message, error.diagnostics, error.retryable]).toEqual([
          here.code,
          here.message,
          here.diagnostics,
          here.retryable,
        ]);
      }
    }
    expect((await refusal(renderer.open(LETTER).render({}, { locale: "?" }))).code).toBe(
      "invalid_request",
    );
  });

  test("prints values that JSON cannot express as this process does", async () => {
    await using renderer = pool({ processes: 1 });
    const circle: Record<string, unknown> = { name: "round" };
    circle.self = circle;
    const shared = { name: "twice" };
    const values: unknown[] = [
      new Date(Date.UTC(2026, 1, 3, 4, 5)),
      new Date(Number.NaN),
      12345678901234567890n,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -0,
      undefined,
      null,
      [1, undefined, 2],
      Object.assign([1], { 3: 2 }),
      new Map([["name", 1]]),
      new Uint8Array([1, 2]),
      new String("boxed"),
      circle,
      [shared, shared],
      "\ud800 alone",
      JSON.parse('{"__proto__":{"x":1}}'),
      Object.assign(Object.create({ inherited: 1 }), { own: 2 }),
    ];
    const bytes = docx({ body: p("{{v}}|{{v.name}}|{{v.own}}|{{v.inherited}}|{{v :: date}}") });
    const outcomeOf = async (rendering: Promise<{ bytes: Uint8Array; warnings: unknown }>) => {
      try {
        const { bytes: document, warnings } = await rendering;
        return [Buffer.from(document).toString("base64"), warnings];
      } catch (error) {
        return [(error as QuireError).code, (error as QuireError).diagnostics];
      }
    };
    const there = renderer.open(bytes);
    for (const v of values) {
      expect(await outcomeOf(there.render({ v }))).toEqual(
        await outcomeOf(inProcess(bytes, { v })),
      );
    }
  });

  test("rereads a long template for each process, and keeps a short one", async () => {
    await using renderer = pool({ processes: 1 });
    const objects = [rawStream("", "x".repeat(1_200_000))];
    const long = rawForm([textField("name")], { objects });
    let reads = 0;
    const opened = (bytes: Uint8Array) => {
      const readAgain = async (): Promise<Uint8Array> => {
        reads += 1;
        return bytes;
      };
      return renderer.open(bytes, { readAgain });
    };
    const [template, short] = [opened(long), opened(LETTER)];
    const { bytes } = await renderInProcess().open(long).render({ name: "Ann" });
    for (const _ of [1, 2]) expect((await template.render({ name: "Ann" })).bytes).toEqual(bytes);
    expect(linesOf((await short.render({ name: "Ann" })).bytes)).toEqual(["Dear Ann"]);
    expect(reads).toBe(1);
  });

  test("rejects with the reader's error if a long template cannot be reread", async () => {
    await using renderer = pool({ processes: 1 });
    const gone = new QuireError("storage_failed", "It is gone.", { retryable: true });
    const readAgain = (): Promise<Uint8Array> => Promise.reject(gone);
    const template = renderer.open(Buffer.alloc(1_200_000), { readAgain });
    expect(await refusal(template.render({}))).toBe(gone);
    expect(linesOf((await renderer.open(LETTER).render({ name: "Ann" })).bytes)).toEqual([
      "Dear Ann",
    ]);
  });

  test("rejects data that it cannot send, with a pointer to the value", async () => {
    await using renderer = pool();
    const price = { toJSON: () => "1.50" };
    const template = renderer.open(LETTER);
    for (const data of [{ a: { "b/c": [price] } }, { a: { "b/c": [() => 1] } }]) {
      const error = await refusal(template.render(data));
      expect([error.code, error.diagnostics[0]?.pointer]).toEqual(["invalid_data", "/a/b~1c/0"]);
    }
    let deep: object = {};
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect((await refusal(template.render({ deep }))).code).toBe("limit_exceeded");
  });

  test.each([
    ["a pool", () => renderPool({ processes: 1 })],
    ["this process", () => renderInProcess()],
  ])("accepts data as JSON bytes if %s renders", async (_, make) => {
    const renderer = make();
    const template = renderer.open(LETTER);
    const { bytes } = await template.render(Buffer.from('{"name":"Zoë"}'));
    expect(linesOf(bytes)).toEqual(["Dear Zoë"]);
    expect((await refusal(template.render(Buffer.from("{secret")))).message).not.toMatch(/secret/);
    expect((await refusal(template.render(Buffer.from("[]")))).code).toBe("invalid_data");
    await renderer.close();
    expect((await refusal(template.render({ name: "late" }))).code).toBe("unavailable");
  });

  test("reads images and included templates through its host", async () => {
    await using renderer = pool();
    const body = `${p('{{include "part"}}')}${p("{{logo}}{{drawing}}")}`;
    const template = renderer.open(docx({ body }), { readTemplate: async () => LETTER });
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>';
    const data = { ...ASKING, drawing: Buffer.from(svg).toString("base64") };
    const picture = png(4, 4);
    const asked: string[] = [];
    const readFile = async (id: string): Promise<Uint8Array> => {
      asked.push(id);
      return picture;
    };
    const { bytes, warnings } = await template.render(data, { readFile });
    const here = await renderInProcess()
      .open(docx({ body }), { readTemplate: async () => LETTER })
      .render(data, { readFile });
    expect(warnings).toEqual(here.warnings);
    expect(Buffer.compare(bytes, here.bytes)).toBe(0);
    expect(asked).toEqual(["logo", "logo"]);
  });

  test("rejects with the storage's own error if it is retryable", async () => {
    await using renderer = pool({ processes: 1 });
    const busy = new QuireError("storage_failed", "Busy.", { retryable: true, cause: { disk: 1 } });
    const readFile = (): Promise<Uint8Array> => Promise.reject(busy);
    await expect(renderer.open(LETTER).render(ASKING, { readFile })).rejects.toBe(busy);
  });

  test("separates templates that include different files under the same name", async () => {
    await using renderer = pool({ processes: 1 });
    const bytes = docx({ body: p('{{include "part"}}') });
    const lines = await Promise.all(
      ["one", "two", "three"].map(async (text) => {
        const part = docx({ body: p(text) });
        const template = renderer.open(bytes, { readTemplate: async () => part });
        return linesOf((await template.render({})).bytes).join("");
      }),
    );
    expect(lines).toEqual(["one", "two", "three"]);
  });

  test("reads included templates once for all documents and processes", async () => {
    await using renderer = pool();
    let reads = 0;
    const template = renderer.open(docx({ body: p('{{include "part"}}') }), {
      readTemplate: async () => {
        reads += 1;
        return docx({ body: p(`version ${reads}`) });
      },
    });
    const made = await Promise.all(Array.from({ length: 200 }, () => template.render({})));
    expect(new Set(made.map(({ bytes }) => linesOf(bytes).join("")))).toEqual(
      new Set(["version 1"]),
    );
    expect(reads).toBe(1);
  });

  test("renders a few documents before many earlier ones of another template", async () => {
    await using renderer = pool({ processes: 1 });
    const many = renderer.open(LETTER);
    const few = renderer.open(docx({ body: p("Hello {{name}}") }));
    let done = 0;
    const first = Array.from({ length: 3000 }, () =>
      many.render({ name: "x" }).then(() => {
        done += 1;
      }),
    );
    await Promise.all(Array.from({ length: 10 }, () => few.render({ name: "y" })));
    expect(done).toBeLessThan(1500);
    await Promise.all(first);
  });

  test.each([
    [{ processes: 0 }, /processes .* from 1 to 1024, not 0/],
    [{ heapLimitMb: 1 }, /heapLimitMb .* from 32/],
    [{ documentTimeoutMs: Number.NaN }, /documentTimeoutMs/],
  ])("rejects the options %j", (options, message) => {
    expect(() => renderPool(options)).toThrow(message);
  });
});
