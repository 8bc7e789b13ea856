import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
  entries,
  expectError,
  HELLO,
  type TestService,
  testService,
  WEBHOOKS,
} from "../support/service.ts";

let service: TestService;
let file: string;
let folder: string;
let batch: string;

beforeEach(async () => {
  service = await testService({ webhooks: WEBHOOKS, limits: { requestsPerMinute: Infinity } });
  file = await service.upload("hello.docx", HELLO);
  folder = await service.folder("out");
  await service.ask("/2.0/docgen_templates", { body: { file: { id: file } } });
  batch = await service.batch(file, folder, entries("a", "b", "c"));
  await service.finished(batch);
});

/** Returns all listings that use markers. */
const listings = () => [
  "/2.0/docgen_jobs",
  `/2.0/docgen_batch_jobs/${batch}`,
  `/2.0/docgen_template_jobs/${file}`,
  "/2.0/docgen_templates",
  `/2.0/docgen_templates/${file}/tags`,
  "/2.0/webhooks",
];

describe("The limit of a page", () => {
  test("is 100 by default, and 1000 at most", async () => {
    for (const path of listings()) {
      const limit = async (query: string) => (await service.ask(path + query)).body.limit;
      expect([path, await limit("")]).toEqual([path, 100]);
      for (const [asked, applied] of [
        ["1", 1],
        ["1000", 1000],
        ["1001", 1000],
        ["007", 7],
        ["9".repeat(400), 1000],
      ] as const) {
        expect([path, asked, await limit(`?limit=${asked}`)]).toEqual([path, asked, applied]);
      }
    }
  });

  test("is a positive integer, or a 400 that names the parameter", async () => {
    for (const path of listings()) {
      for (const limit of [
        "0",
        "-1",
        "1.5",
        "1e3",
        "abc",
        "",
        "+1",
        "0x10",
        " 1",
        "%00",
        "١",
        "null",
        "1,2",
      ]) {
        const answer = await service.ask(`${path}?limit=${encodeURIComponent(limit)}`);
        expectError(answer, 400, "bad_request");
        expect(answer.body.context_info.errors).toMatchObject([{ path: "/limit" }]);
      }
      const twice = await service.ask(`${path}?limit=1&limit=2`);
      expectError(twice, 400, "bad_request");
      const both = await service.ask(`${path}?limit=x&marker=${"a".repeat(3000)}`);
      expect(both.body.context_info.errors).toHaveLength(2);
    }
  });
});

describe("The marker of a page", () => {
  test("is missing or 0 for the first page, and any unknown value is a 400", async () => {
    const good = (await service.ask("/2.0/docgen_jobs?limit=1")).body.next_marker;
    expect(good).toMatch(/^[\w.~-]+$/);
    for (const path of listings()) {
      const first = await service.ask(path);
      expect((await service.ask(`${path}?marker=0`)).body).toEqual(first.body);
      for (const marker of [
        "",
        "1",
        "00",
        "-1",
        "null",
        good.slice(0, -1),
        `${good}x`,
        `x${good}`,
        good.toUpperCase(),
        good.slice(good.indexOf(".")),
        good.slice(0, good.indexOf(".") + 1),
        good.slice(good.indexOf(".") + 1),
        ".",
        "%00",
        "__proto__",
        "🎉",
        "a".repeat(2000),
        "a".repeat(3000),
      ]) {
        const answer = await service.ask(`${path}?marker=${encodeURIComponent(marker)}`);
        expect([path, marker, answer.status]).toEqual([path, marker, 400]);
        expectError(answer, 400, "bad_request");
      }
      const twice = await service.ask(`${path}?marker=0&marker=0`);
      expectError(twice, 400, "bad_request");
    }
  });

  test("is valid only for its own listing", async () => {
    const other = await service.upload("b.docx", HELLO);
    await service.ask("/2.0/docgen_templates", { body: { file: { id: other } } });
    for (const id of ["a", "b"]) {
      await service.ask("/2.0/webhooks", {
        body: {
          target: { type: "folder", id: "0" },
          address: `https://hooks.invalid/${id}`,
          triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"],
        },
      });
    }
    const second = await service.batch(file, folder, entries("d", "e"));
    await service.finished(second);
    const paths = [
      "/2.0/docgen_jobs",
      `/2.0/docgen_batch_jobs/${batch}`,
      `/2.0/docgen_batch_jobs/${second}`,
      `/2.0/docgen_template_jobs/${file}`,
      "/2.0/docgen_templates",
      "/2.0/webhooks",
    ];
    for (const from of paths) {
      const { next_marker: marker } = (await service.ask(`${from}?limit=1`)).body;
      expect([from, typeof marker]).toEqual([from, "string"]);
      for (const to of paths) {
        const { status } = await service.ask(`${to}?limit=1&marker=${marker}`);
        expect([from, to, status]).toEqual([from, to, from === to ? 200 : 400]);
      }
    }
    const mine = (await service.ask("/2.0/docgen_jobs?limit=1")).body.next_marker;
    expectError(
      await service.ask(`/2.0/docgen_jobs?marker=${mine}`, { who: "bob" }),
      400,
      "bad_request",
    );
  });
});

describe("Paging", () => {
  test("returns each job once and skips none, even if jobs are added", async () => {
    const walks = fc.record({
      limit: fc.integer({ min: 1, max: 7 }),
      path: fc.constantFrom("/2.0/docgen_jobs", `/2.0/docgen_template_jobs/${file}`),
      /** For each page, the job counts of the batches that are added before it. */
      added: fc.array(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }), { maxLength: 6 }),
    });
    let count = 0;
    const add = async (jobs: number): Promise<void> => {
      count += 1;
      const names = Array.from({ length: jobs }, (_, index) => `more ${count} ${index}`);
      await service.batch(file, folder, entries(...names));
    };
    await fc.assert(
      fc.asyncProperty(walks, async ({ limit, path, added }) => {
        const before = new Set<string>();
        for (const { id } of (await service.ask(`${path}?limit=1000`)).body.entries) before.add(id);
        const seen: string[] = [];
        for (let marker = "0", page = 0; marker !== null; page += 1) {
          const adding = (added[page] ?? []).map(add);
          const { body } = await service.ask(`${path}?limit=${limit}&marker=${marker}`);
          await Promise.all(adding);
          expect(body.entries.length).toBeLessThanOrEqual(limit);
          seen.push(...body.entries.map(({ id }: { id: string }) => id));
          marker = body.next_marker;
        }
        expect(new Set(seen).size).toBe(seen.length);
        const all = new Set(seen);
        expect([...before].filter((id) => !all.has(id))).toEqual([]);
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  test("of templates and webhooks returns each once, even if some are added", async () => {
    const add = {
      docgen_templates: async (index: number) => {
        const id = await service.upload(`${index}.docx`, HELLO);
        await service.ask("/2.0/docgen_templates", { body: { file: { id } } });
      },
      webhooks: async (index: number) => {
        await service.ask("/2.0/webhooks", {
          body: {
            target: { type: "folder", id: "0" },
            address: `https://hooks.invalid/${index}`,
            triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"],
          },
        });
      },
    };
    for (const [name, more] of Object.entries(add)) {
      for (let index = 0; index < 7; index += 1) await more(index);
      const keyOf = (entry: { id?: string; file?: { id: string } }) => entry.id ?? entry.file?.id;
      const before = (await service.ask(`/2.0/${name}`)).body.entries.map(keyOf);
      const seen: unknown[] = [];
      for (let marker = "0", page = 0; marker !== null; page += 1) {
        if (page < 3) await more(100 + page);
        const { body } = await service.ask(`/2.0/${name}?limit=2&marker=${marker}`);
        seen.push(...body.entries.map(keyOf));
        marker = body.next_marker;
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(before));
    }
  });
});

test("of a folder works by offset and by marker, and returns every item once", async () => {
  const service = await testService();
  for (const name of ["c", "a", "b", "e", "d"]) await service.folder(name);
  const names = (body: { entries: { name: string }[] }) => body.entries.map(({ name }) => name);
  const all: string[] = [];
  let marker: string | null = "0";
  while (marker !== null) {
    const { body } = await service.ask(
      `/2.0/folders/0/items?usemarker=true&limit=2&marker=${encodeURIComponent(marker)}`,
    );
    all.push(...names(body));
    marker = body.next_marker;
  }
  expect(all).toEqual(["a", "b", "c", "d", "e"]);
  const { body } = await service.ask("/2.0/folders/0/items?offset=3&limit=2");
  expect([names(body), body.offset]).toEqual([["d", "e"], 3]);
  const foreign = await service.ask("/2.0/folders/0/items?usemarker=true&marker=abc");
  expect(foreign.status).toBe(400);
});
