import { afterAll, describe, expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { png } from "../../ooxml/test/support/pictures.ts";
import { oneField } from "../../pdf/test/support/pdf.ts";
import { type Renderer, renderInProcess, renderPool } from "../src/index.ts";
import { inProcess, pool } from "./support/pool.ts";
import { ASKING, LETTER } from "./support/pool-program.ts";

const renderers: readonly [string, () => Renderer][] = [
  ["a pool", () => renderPool({ processes: 1 })],
  ["this process", renderInProcess],
];

/** Returns an error without its stack trace. */
async function told(promise: Promise<unknown>): Promise<unknown[]> {
  const { code, message, diagnostics, retryable } = await refusal(promise);
  return [code, message, diagnostics, retryable];
}

describe.concurrent.each(renderers)("checking in %s", (_, start) => {
  const renderer = start();
  afterAll(() => renderer.close());

  test("reports the same as rendering, and rejects the same data", async () => {
    const sum = docx({ body: p("{{name}} {{a + b}} {{logo :: optional}}") });
    const template = renderer.open(sum);
    const data = { name: "Ann", a: 1, b: 2 };
    const readFile = async (): Promise<Uint8Array> => png(4, 4);
    const logo = { type: "file", id: "logo" };
    const cases = [
      [data, {}],
      [{ ...data, more: 1 }, {}],
      [{ ...data, logo }, { readFile }],
      [{ a: 1, b: 2 }, {}],
      [{ a: 1, b: 2 }, { onMissing: "blank" }],
      [Buffer.from(JSON.stringify(data)), {}],
    ] as const;
    for (const [given, options] of cases) {
      const { bytes, ...rendered } = await template.render(given, options);
      expect(await template.check(given, options)).toEqual(rendered);
    }
    const wrong = [
      [{ ...data, a: "x" }, {}],
      [{ ...data, name: {} }, {}],
      [{ b: 2 }, { onMissing: "fail" }],
      [{ ...data, logo }, {}],
      [data, { locale: "?" }],
      [[], {}],
      [Buffer.from("{"), {}],
    ] as const;
    for (const [given, options] of wrong) {
      expect(await told(template.check(given as Record<string, unknown>, options))).toEqual(
        await told(template.render(given as Record<string, unknown>, options)),
      );
    }
  });

  test("reports loops with too many iterations as rendering does", async () => {
    const nested = "{{for a in list}}{{for b in list}}{{for c in list}}{{for d in list}}";
    const end = "{{endfor}}".repeat(4);
    const template = renderer.open(docx({ body: p(`${nested}x${end}`) }));
    const data = { list: Array.from({ length: 200 }, () => 1) };
    const check = await told(template.check(data));
    expect(check[0]).toBe("limit_exceeded");
    expect(check).toEqual(await told(template.render(data)));
  });

  test("reports the pages of a form, and values that do not fit", async () => {
    const form = renderer.open(await oneField("name", (field) => field.setMaxLength(3)));
    expect(await form.check({ name: "Ann" })).toEqual({ pages: 1, warnings: [] });
    expect((await form.inspect()).pages).toBe(1);
    expect(await told(form.check({ name: "Annabella" }))).toEqual(
      await told(form.render({ name: "Annabella" })),
    );
    const dated = { metadata: { date: "yesterday" } };
    expect(await told(form.check({ name: "Ann" }, dated))).toEqual(
      await told(form.render({ name: "Ann" }, dated)),
    );
  });

  test("rejects an invalid template as rendering does, and so does inspecting", async () => {
    for (const bytes of [docx({ body: p("{{if a}}") }), Buffer.from("hi")]) {
      const template = renderer.open(bytes);
      const expected = await told(template.render({}));
      expect(await told(template.check({}))).toEqual(expected);
      expect(await told(template.inspect())).toEqual(expected);
    }
    const closed = start();
    await closed.close();
    expect((await refusal(closed.open(LETTER).inspect())).code).toBe("unavailable");
    expect((await refusal(closed.open(LETTER).check({}))).code).toBe("unavailable");
  });
});

describe.concurrent("a check in a pool", () => {
  test.each([
    ["never ends", "SIGSTOP", "timeout", /longer than 1000 ms to check/],
    ["ends its process", "SIGKILL", "render_failed", /not be checked: .* SIGKILL, twice/],
  ] as const)("that %s fails alone", async (_, signal, code, message) => {
    await using renderer = pool({ processes: 1, documentTimeoutMs: 1000 });
    const template = renderer.open(LETTER);
    const strike = async (): Promise<Uint8Array> => {
      for (const pid of renderer.processes()) process.kill(pid, signal);
      return LETTER;
    };
    const [poison, made, facts] = await Promise.all([
      refusal(template.check(ASKING, { readFile: strike })),
      template.render({ name: "Ann" }),
      template.inspect(),
    ]);
    expect(poison.code).toBe(code);
    expect(poison.message).toMatch(message);
    const { bytes } = await inProcess(LETTER, { name: "Ann" });
    expect(Buffer.compare(made.bytes, bytes)).toBe(0);
    expect(facts.tags).toHaveLength(1);
  });

  test("is cancelled by its signal", async () => {
    await using renderer = pool({ processes: 1 });
    const template = renderer.open(LETTER);
    const abort = new AbortController();
    const readFile = (): Promise<Uint8Array> => {
      abort.abort();
      return new Promise(() => {});
    };
    const given = template.check(ASKING, { signal: abort.signal, readFile });
    expect((await refusal(given)).code).toBe("aborted");
    const signal = AbortSignal.abort();
    expect((await refusal(template.inspect({ signal }))).code).toBe("aborted");
  });
});
