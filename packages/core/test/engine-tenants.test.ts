import { expect, test } from "vitest";
import { refusal } from "../../contracts/test/support/refusal.ts";
import { docx, linesOf, p } from "../../ooxml/test/support/docx.ts";
import { png } from "../../ooxml/test/support/pictures.ts";
import { memoryStorage, type Renderer, renderInProcess, type Storage } from "../src/index.ts";
import { all, entry, makeEngine, names, request, template, withCreate } from "./support/engine.ts";

/**
 * Returns the storage of one of two tenants, `a` and `b`. It has files that name the tenant, and files that only this
 * tenant has.
 */
function storageOf(tenant: string): Storage {
  return memoryStorage({
    folders: ["out", `only-${tenant}`],
    files: {
      "letter.docx": template,
      "including.docx": docx({ body: p('{{include "part.docx"}}') }),
      "part.docx": docx({ body: p(`Part of ${tenant}`) }),
      "stealing.docx": docx({ body: p('{{include "part-of-b.docx"}}') }),
      "picture.docx": docx({ body: p("{{logo}}") }),
      [`letter-of-${tenant}.docx`]: template,
      [`part-of-${tenant}.docx`]: docx({ body: p(`Secret of ${tenant}`) }),
      [`logo-of-${tenant}.png`]: png(4, 4),
    },
  });
}

function tenants(): { readonly a: Storage; readonly b: Storage } {
  return { a: storageOf("a"), b: storageOf("b") };
}

const view = (storages: ReturnType<typeof tenants>) => (tenant: string) =>
  tenant === "a" ? storages.a : storages.b;

const file = (id: string) => ({ file: { type: "file", id } }) as const;
const logo = (id: string) => ({ logo: { type: "file", id } });

test("the documents of a tenant are rendered from its files and stored in its storage", async () => {
  const storages = tenants();
  await using engine = makeEngine({ storage: view(storages) });
  const including = request([entry("doc")], file("including.docx"));
  for (const tenant of ["a", "b"] as const) {
    const { id } = await engine.createBatch(including, { tenant });
    expect(await all(engine.jobs(id))).toMatchObject([{ status: "completed" }]);
  }
  for (const tenant of ["a", "b"] as const) {
    const { bytes } = await storages[tenant].read({ type: "file", id: "out/doc.docx" });
    expect(linesOf(bytes)).toEqual([`Part of ${tenant}`]);
    expect(await names(storages[tenant])).toEqual(["doc.docx"]);
  }
});

test("requests, templates and data cannot access files of another tenant", async () => {
  const storages = tenants();
  await using engine = makeEngine({ storage: view(storages) });
  const asA = { tenant: "a" } as const;
  const refused = [
    request([entry("x")], file("letter-of-b.docx")),
    request([entry("x")], { destination_folder: { type: "folder", id: "only-b" } }),
  ];
  for (const wrong of refused) {
    expect((await refusal(engine.createBatch(wrong, asA))).code).toBe("not_found");
    expect((await refusal(engine.checkBatch(wrong, asA))).code).toBe("not_found");
  }
  const letter = file("letter-of-b.docx").file;
  expect((await refusal(engine.inspectTemplate(letter, asA))).code).toBe("not_found");
  const stealing = await engine.inspectTemplate(file("stealing.docx").file, asA);
  expect(stealing.errors).toHaveLength(1);
  expect((await engine.inspectTemplate(letter, { tenant: "b" })).errors).toEqual([]);

  const failing = [
    request([entry("x")], file("stealing.docx")),
    request([entry("x", logo("logo-of-b.png"))], file("picture.docx")),
  ];
  for (const wrong of failing) {
    const { entries } = await engine.checkBatch(wrong, asA);
    const { id } = await engine.createBatch(wrong, asA);
    const [job] = await all(engine.jobs(id));
    expect(job?.status).toBe("failed");
    expect(entries[0]?.errors).toEqual(job?.errors);
    const own = await engine.createBatch(wrong, { tenant: "b" });
    expect(await all(engine.jobs(own.id))).toMatchObject([{ status: "completed" }]);
  }
});

test("file names depend only on the tenant's folder, also when failed jobs are retried", async () => {
  const storages = tenants();
  await storages.b.create({ type: "folder", id: "out" }, "doc.docx", template);
  await using engine = makeEngine({ storage: view(storages) });
  const failing = request([entry("doc", logo("later.png"))], file("picture.docx"));
  for (const [tenant, name] of [
    ["a", "doc.docx"],
    ["b", "doc (1).docx"],
  ] as const) {
    const { id } = await engine.createBatch(failing, { tenant });
    await all(engine.jobs(id));
    await storages[tenant].create({ type: "folder", id: "." }, "later.png", png(4, 4));
    await engine.retryFailed(id);
    expect((await all(engine.jobs(id)))[0]?.outputFile?.name).toBe(name);
  }
});

test("the renderer receives the tenant of each template", async () => {
  const told: unknown[] = [];
  const inner = renderInProcess();
  const renderer: Renderer = {
    open: (bytes, options) => {
      told.push(options?.tenant);
      return inner.open(bytes, options);
    },
    close: () => inner.close(),
  };
  await using engine = makeEngine({ storage: storageOf, renderer });
  for (const tenant of ["a", "b"]) {
    const { id } = await engine.createBatch(request([entry("doc")]), { tenant });
    await all(engine.jobs(id));
    await engine.checkBatch(request([entry("x")]), { tenant });
    await engine.inspectTemplate({ type: "file", id: "letter.docx" }, { tenant });
  }
  expect(told).toEqual(["a", "a", "a", "b", "b", "b"]);
});
test.each([1, 3])(
  "a batch that never finishes does not block other batches, with a concurrency of %i",
  async (concurrency) => {
    const inner = storageOf("a");
    const ends: (() => void)[] = [];
    const storage = withCreate(inner, async (folder, name, bytes) => {
      if (name.startsWith("slow")) await new Promise<void>((end) => ends.push(end));
      return inner.create(folder, name, bytes);
    });
    await using engine = makeEngine({ storage, concurrency });
    const slow = Array.from({ length: 100 }, (_, number) => entry(`slow${number}`));
    const { id } = await engine.createBatch(request(slow), { tenant: "a" });
    await expect.poll(() => ends.length).toBe(concurrency);
    for (const tenant of ["b", "a", "c", "b", "a"]) {
      const entries = Array.from({ length: 20 }, (_, number) => entry(`quick${number}`));
      const quick = await engine.createBatch(request(entries), { tenant });
      const jobs = await all(engine.jobs(quick.id));
      expect(jobs.filter(({ status }) => status === "completed")).toHaveLength(20);
    }
    expect(ends.length).toBe(concurrency);
    expect((await engine.getBatch(id)).counts.completed).toBe(0);
    const letGo = setInterval(() => {
      for (const end of ends.splice(0)) end();
    }, 1);
    await all(engine.jobs(id));
    clearInterval(letGo);
  },
);

test("the first documents of many batches, which take long, do not keep another batch of the tenant waiting", async () => {
  const inner = renderInProcess();
  const turn = Promise.withResolvers<void>();
  const renderer: Renderer = {
    open: (bytes, options) => {
      const opened = inner.open(bytes, options);
      return {
        ...opened,
        render: async (data, given) => {
          if (bytes.length === long.length) await turn.promise;
          return opened.render(data, given);
        },
      };
    },
    close: () => inner.close(),
  };
  const long = docx({ body: p("A template of another length") });
  const storage = memoryStorage({
    folders: ["out"],
    files: { "letter.docx": template, "long.docx": long },
  });
  await using engine = makeEngine({ storage, renderer });
  const slow: string[] = [];
  for (let number = 0; number < 40; number++) {
    const batch = await engine.createBatch(request([entry("slow")], file("long.docx")));
    slow.push(batch.id);
  }
  const { id } = await engine.createBatch(request([entry("quick")]));
  expect(await all(engine.jobs(id))).toMatchObject([{ status: "completed" }]);
  turn.resolve();
  for (const each of slow) {
    expect(await all(engine.jobs(each))).toMatchObject([{ status: "completed" }]);
  }
});
