import {
  createEngine,
  memoryStorage,
  QuireError,
  renderInProcess,
  type Storage,
} from "@quire/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { TagReader, type TagReaderLimits } from "../../src/operations/tag-reader.ts";
import { watchedStorage } from "../files/support/wrapped.ts";
import { expectError, HELLO, templateOf, testService } from "../support/service.ts";

/** Runs before a template is read. */
type Before = () => Promise<void> | void;

/** Returns a reader over a storage with templates, and the number of reads of one of them. */
async function readerOf(
  templates: readonly Uint8Array[],
  { before = () => {}, ...limits }: Partial<TagReaderLimits> & { readonly before?: Before } = {},
) {
  const storage = memoryStorage();
  const counts = { reads: 0, underWay: 0, most: 0 };
  const watched: Storage = watchedStorage(
    storage,
    async (method) => {
      if (method !== "read") return;
      counts.reads += 1;
      counts.underWay += 1;
      counts.most = Math.max(counts.most, counts.underWay);
      await before();
    },
    (method) => {
      if (method === "read") counts.underWay -= 1;
    },
  );
  const engine = createEngine({ storage: watched, renderer: renderInProcess() });
  onTestFinished(() => engine.close());
  const folder = { type: "folder", id: "." } as const;
  const files = await Promise.all(
    templates.map((bytes, index) => storage.create(folder, `${index}.docx`, bytes)),
  );
  const reader = new TagReader(engine, { waitMs: 2_000, ...limits });
  const ask = (index: number, signal = new AbortController().signal, tenant = "acme") => {
    const file = files[index];
    return reader.facts(tenant, file?.ref.id ?? "", file?.version ?? "", signal);
  };
  const begin = (index: number, tenant = "acme") =>
    reader.begin(tenant, files[index]?.ref.id ?? "", files[index]?.version ?? "");
  return { reader, counts, ask, begin };
}

function held() {
  let release = (): void => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release: () => release() };
}

const hellos = (count: number) => Array.from({ length: count }, () => HELLO);
const manyTags = (count: number) =>
  templateOf(...Array.from({ length: count }, (_, index) => `{{tag${index}}}`));
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("The tags of templates", () => {
  test("are returned by the first request, and read once", async () => {
    const { ask, counts } = await readerOf(hellos(1));
    expect((await ask(0))?.tags).toHaveLength(1);
    expect((await ask(0))?.tags).toHaveLength(1);
    expect(counts.reads).toBe(1);
  });

  test("of more templates than are cached are returned in any order", async () => {
    const { ask } = await readerOf(hellos(20), { cached: 5, waitMs: 5 });
    const told = new Set<number>();
    for (let round = 0; round < 50 && told.size < 20; round += 1) {
      for (let index = 0; index < 20; index += 1) {
        if (!told.has(index) && (await ask(index)) !== null) told.add(index);
      }
    }
    expect(told.size).toBe(20);
  });

  test("are read once even if many others are read in the meantime", async () => {
    const slow = held();
    let isFirst = true;
    const before = async () => {
      const wait = isFirst;
      isFirst = false;
      if (wait) await slow.until;
    };
    const { ask, begin, counts } = await readerOf(hellos(12), { cached: 3, before });
    begin(0);
    for (let index = 1; index < 12; index += 1) await ask(index);
    expect(counts.reads).toBe(12);
    const asked = ask(0);
    slow.release();
    expect(await asked).not.toBeNull();
    expect(counts.reads).toBe(12);
  });

  test("are cached up to a limit; the most recently used ones are kept", async () => {
    const { ask, counts } = await readerOf([manyTags(30), manyTags(30), manyTags(60)], {
      tags: 100,
    });
    await ask(0);
    await ask(1);
    await ask(0);
    expect(counts.reads).toBe(2);
    await ask(2);
    await ask(0);
    expect(counts.reads).toBe(3);
    await ask(1);
    expect(counts.reads).toBe(4);
  });

  test("are read a few at a time; enterprises take turns", async () => {
    const slow = held();
    const order: number[] = [];
    const { ask, counts } = await readerOf(hellos(8), {
      reading: 2,
      before: () => slow.until,
    });
    const asked = Array.from({ length: 7 }, (_, index) => ask(index).then(() => order.push(index)));
    asked.push(ask(7, undefined, "other").then(() => order.push(7)));
    await aWhile();
    expect(counts.underWay).toBeLessThanOrEqual(2);
    slow.release();
    await Promise.all(asked);
    expect(counts.most).toBeLessThanOrEqual(2);
    expect(order.indexOf(7)).toBeLessThan(5);
  });

  test("are rejected temporarily if too many templates wait, and this is not cached", async () => {
    const slow = held();
    const options = { reading: 1, waiting: 2, before: () => slow.until };
    const { ask, begin } = await readerOf(hellos(4), options);
    const asked = [ask(0), ask(1), ask(2)];
    begin(3);
    await expect(ask(3)).rejects.toMatchObject({ status: 429 });
    slow.release();
    expect(await Promise.all(asked)).not.toContain(null);
    expect(await ask(3)).not.toBeNull();
  });

  test("are waited for only for a short time, and not after the client has disconnected", async () => {
    const slow = held();
    const { ask, counts } = await readerOf(hellos(1), { waitMs: 50, before: () => slow.until });
    const gone = new AbortController();
    const left = ask(0, gone.signal);
    gone.abort();
    await expect(left).rejects.toMatchObject({ code: "aborted" });
    expect(await ask(0)).toBeNull();
    slow.release();
    expect(await ask(0)).not.toBeNull();
    expect(counts.reads).toBe(1);
  });

  test("are read again after a temporary error, which is not an error of the template", async () => {
    let failures = 2;
    const before = () => {
      failures -= 1;
      const full = new QuireError("limit_exceeded", "Too many wait.", { retryable: true });
      if (failures >= 0) throw full;
    };
    const { ask } = await readerOf(hellos(1), { before });
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(ask(0)).rejects.toMatchObject({ code: "unavailable", retryable: true });
    }
    expect(await ask(0)).toMatchObject({ tags: [{}], errors: [] });
  });

  test("of an invalid template are cached as an error", async () => {
    let reads = 0;
    const before = () => {
      reads += 1;
      throw new QuireError("timeout", "It took too long.");
    };
    const { ask } = await readerOf(hellos(1), { before });
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await ask(0)).toMatchObject({ tags: [], errors: [{ code: "timeout" }] });
    }
    expect(reads).toBe(1);
  });
});

describe("A request for the tags of a template", () => {
  test("gets a response if they are read soon, otherwise a 202, and ends with its client", async () => {
    const slow = held();
    let wait = false;
    const storage = watchedStorage(memoryStorage(), async (method) => {
      if (method === "read" && wait) await slow.until;
    });
    const service = await testService({
      storage: storage as ReturnType<typeof memoryStorage>,
      logger: { info() {}, warn() {}, error() {} },
    });
    const [quick, late] = [
      await service.upload("a.docx", HELLO),
      await service.upload("b.docx", HELLO),
    ];
    for (const id of [quick, late]) {
      await service.ask("/2.0/docgen_templates", { body: { file: { id } } });
      if (id === quick) {
        expect((await service.ask(`/2.0/docgen_templates/${id}/tags`)).status).toBe(200);
        wait = true;
      }
    }
    const path = `/2.0/docgen_templates/${late}/tags`;
    expect((await service.ask(path)).status).toBe(202);
    const gone = new AbortController();
    const left = service.fetch(path, { raw: { signal: gone.signal } });
    gone.abort();
    const { status, body } = await left.then(async (answer) => ({
      status: answer.status,
      body: (await answer.json()) as { code: string },
    }));
    expect([status, body.code]).toEqual([400, "bad_request"]);
    slow.release();
    await expect.poll(async () => (await service.ask(path)).status).toBe(200);
    expectError(await service.ask("/2.0/docgen_templates/none/tags"), 404, "not_found");
  });
});
