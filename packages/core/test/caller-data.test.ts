import { describe, expect, test } from "vitest";
import { docx, p } from "../../ooxml/test/support/docx.ts";
import { rawForm, textField } from "../../pdf/test/support/pdf.ts";
import {
  compilePdfForm,
  compileTemplate,
  compileText,
  isQuireError,
  type QuireError,
  renderInProcess,
} from "../src/index.ts";
import { all, entry, makeEngine, place, request } from "./support/engine.ts";

const BOOM = new Error("boom");

function boom(): never {
  throw BOOM;
}

const TRAPS = ["get", "has", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf"];

function proxy<T extends object>(target: T, traps: readonly string[] = TRAPS): T {
  return new Proxy(target, Object.fromEntries(traps.map((trap) => [trap, boom])));
}

function getter(key = "a"): object {
  return Object.defineProperty({}, key, { enumerable: true, get: boom });
}

function listWith(iterator: () => unknown): unknown[] {
  return Object.assign([1, 2], { [Symbol.iterator]: iterator });
}

function* forever(): Generator<number> {
  for (;;) yield 1;
}

function revoked(target: object): object {
  const { proxy: made, revoke } = Proxy.revocable(target, {});
  revoke();
  return made;
}

const VALUES: Readonly<Record<string, () => unknown>> = {
  "a getter that throws": getter,
  "a getter that throws nothing": () =>
    Object.defineProperty({}, "a", {
      enumerable: true,
      get() {
        throw undefined;
      },
    }),
  "a getter that throws a proxy": () =>
    Object.defineProperty({}, "a", {
      enumerable: true,
      get() {
        throw proxy({});
      },
    }),
  ...Object.fromEntries(
    TRAPS.flatMap((trap) => [
      [`an object whose ${trap} throws`, () => proxy({ a: 1 }, [trap])],
      [`a list whose ${trap} throws`, () => proxy([1, 2], [trap])],
    ]),
  ),
  "a revoked proxy": () => revoked({}),
  "a revoked list": () => revoked([]),
  "a function whose proxy throws": () => proxy(() => 1),
  "a list without any property of lists": () => new Proxy([], { get: () => undefined }),
  "a list with an iterator that throws": () => listWith(boom),
  "a list with an endless iterator": () => listWith(forever),
  "a list that claims billions of items": () => new Array(4_294_967_295),
  "an object that cannot be printed": () => ({ toString: boom, valueOf: boom, toJSON: boom }),
  "a date that throws": () =>
    Object.assign(new Date(0), { getTime: boom, toISOString: boom, valueOf: boom }),
  "an object that contains itself": () => {
    const ring: Record<string, unknown> = {};
    ring.a = ring;
    return ring;
  },
  "an object with 100,000 levels": () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    return deep;
  },
};

const TAGS = [
  "{{v}} {{v.a}} {{v.a.b}} {{v.0}} {{v.length}}",
  "{{for x in v}}{{x}}{{x.a}}{{endfor}}",
  "{{#v}}{{a}}{{/v}}{{^v}}n{{/v}}",
  "{{if v == 1}}y{{endif}}{{if v contains 1}}y{{endif}}",
  "{{$sum(v)}}{{$count(v)}}{{$max(v)}}",
  '{{$join(v, ",")}}{{v + 1}}',
  "{{v :: html}}{{v :: markdown}}",
  '{{v :: qrcode}}{{v :: link("x")}}{{v :: number("0.0")}}',
];

/** Returns the error that `run` throws, which must be a QuireError; null if it throws nothing. */
async function thrown(run: () => unknown): Promise<QuireError | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (isQuireError(error)) return error;
    throw new Error("The thrown value is not a QuireError.", { cause: error });
  }
}

describe("data with getters, proxies and other code", () => {
  test.each(TAGS)("gives a document or a QuireError: %s", async (tags) => {
    for (const tag of [tags, ...tags.split(/(?<=\}\}) ?(?=\{\{[v$])/)]) {
      const template = await compileTemplate(docx({ body: p(tag) }));
      for (const [name, make] of Object.entries(VALUES)) {
        for (const how of ["render", "check"] as const) {
          const error = await thrown(() => template[how]({ v: make() }));
          expect([name, error?.code]).not.toEqual([name, "internal"]);
        }
        await thrown(() => template.render(make() as Record<string, unknown>));
      }
    }
  });

  test("is reported with the pointer of the getter that throws, and the cause", async () => {
    const template = await compileTemplate(docx({ body: p("{{for x in l}}{{x.b}}{{endfor}}") }));
    const l = [{ b: 1 }, Object.defineProperty({}, "b", { get: () => 2 }), getter("b")];
    for (const run of [() => template.render({ l }), () => template.check({ l })]) {
      const error = await thrown(run);
      expect(error).toMatchObject({
        code: "invalid_data",
        cause: BOOM,
        diagnostics: [{ code: "unreadable_value", pointer: "/l/2/b" }],
      });
      expect(error?.message).toContain("The data of the document cannot be read (at /l/2/b)");
    }
  });

  test("is reported for text templates and PDF forms", async () => {
    const form = await compilePdfForm(rawForm([textField("a")]));
    for (const run of [
      () => compileText("{{a}}").render(getter() as Record<string, unknown>),
      () => form.render(getter() as Record<string, unknown>),
      () => form.check(getter() as Record<string, unknown>),
    ]) {
      expect(await thrown(run)).toMatchObject({ code: "invalid_data", cause: BOOM });
    }
  });

  test("is reported when the renderer looks for pictures in it", async () => {
    const renderer = renderInProcess();
    const opened = renderer.open(docx({ body: p("{{a}}") }), {});
    const data = { a: { image: getter() }, b: proxy({}) };
    expect(await thrown(() => opened.render(data))).toMatchObject({ code: "invalid_data" });
    await renderer.close();
  });
});

describe("a batch", () => {
  const HOW = ["createBatch", "checkBatch"] as const;
  const told = async (entries: unknown, how: (typeof HOW)[number]): Promise<unknown> => {
    await using engine = makeEngine({ storage: place() });
    if (how === "checkBatch") return engine.checkBatch(request(entries));
    return all(engine.jobs((await engine.createBatch(request(entries))).id));
  };

  test.each(HOW)(
    "with unreadable entries is rejected, or each entry reports it: %s",
    async (how) => {
      for (const entries of [
        [getter("generated_file_name")],
        [proxy({})],
        proxy([]),
        revoked([]),
      ]) {
        const error = await thrown(() => told(entries, how));
        expect(error?.code).toMatch(/^invalid_(?:request|data)$/);
      }
      for (const data of [proxy({}), getter(), { a: revoked({}) }]) {
        const found = await thrown(async () => {
          const text = JSON.stringify(await told([entry("a", data)], how));
          expect(text).toContain('"unreadable_value"');
        });
        expect(["invalid_request", undefined]).toContain(found?.code);
      }
    },
  );

  test("with an unreadable request is rejected", async () => {
    await using engine = makeEngine({ storage: place() });
    for (const made of [proxy({}), getter("document_generation_data"), null, 7]) {
      const error = await thrown(() => engine.createBatch(made as never));
      expect(error?.code).toBe("invalid_request");
    }
  });

  test("with a list that claims billions of entries is rejected", async () => {
    const error = await thrown(() => told(new Array(4_294_967_295), "createBatch"));
    expect(error).toMatchObject({ code: "invalid_request" });
  });

  test.each(HOW)("reports each unreadable streamed entry separately: %s", async (how) => {
    async function* entries(): AsyncGenerator<unknown> {
      yield entry("a");
      yield getter("generated_file_name");
      yield entry("b", getter());
    }
    const text = JSON.stringify(await told(entries(), how));
    // A job reports its problems twice: in its error and in its list of diagnostics.
    expect(text.match(/"code":"unreadable_value"/g)).toHaveLength(how === "createBatch" ? 4 : 2);
    expect(text).not.toContain('"internal"');
  });

  test.each(HOW)("is rejected if its stream throws: %s", async (how) => {
    for (const stream of [
      { [Symbol.asyncIterator]: () => ({ next: boom }) },
      { [Symbol.asyncIterator]: boom },
    ]) {
      const error = await thrown(() => told(stream, how));
      expect(error).toMatchObject({ code: "invalid_data", cause: BOOM });
    }
  });

  test.each(HOW)("with an endless stream of entries can be aborted: %s", async (how) => {
    await using engine = makeEngine({ storage: place() });
    async function* entries(): AsyncGenerator<unknown> {
      for (;;) yield 7;
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    const { signal } = controller;
    const error = await thrown(() => engine[how](request(entries()), { signal }));
    expect(error).toMatchObject({ code: "aborted" });
  });
});
