import {
  type CatalogRemoveOptions,
  type FileCatalog,
  memoryFileCatalog,
  memoryStorage,
  type NewCatalogEntry,
  type Storage,
} from "@quire/core";
import { describe, expect, test } from "vitest";
import {
  ACME,
  ANNA,
  contentOf,
  file,
  HIDDEN,
  listed,
  makePlace,
  namesIn,
  ROOT,
  rejects,
  stored,
  stream,
  text,
} from "./support/place.ts";
import { watchedStorage } from "./support/wrapped.ts";

/** The storage id of the document in these tests. */
const PLACE = "tenants/acme/a.pdf";

/** Returns a catalog that calls a hook before an addition, or before the removal of a missing file. */
function watchedCatalog(
  catalog: FileCatalog,
  { add, gone }: { add?: () => Promise<unknown>; gone?: () => Promise<unknown> },
): FileCatalog {
  return {
    ...bound(catalog),
    add: async (tenant: string, entry: NewCatalogEntry) => {
      if (entry.type === "file") await add?.();
      return catalog.add(tenant, entry);
    },
    remove: async (tenant: string, id: string, options?: CatalogRemoveOptions) => {
      if (options?.gone !== undefined) await gone?.();
      return catalog.remove(tenant, id, options);
    },
  };
}

function bound(catalog: FileCatalog): Omit<FileCatalog, "add" | "remove"> {
  return {
    root: (...args) => catalog.root(...args),
    find: (...args) => catalog.find(...args),
    list: (...args) => catalog.list(...args),
    addVersion: (...args) => catalog.addVersion(...args),
    versions: (...args) => catalog.versions(...args),
    rename: (...args) => catalog.rename(...args),
    sweep: (...args) => catalog.sweep(...args),
    discarded: () => catalog.discarded(),
    use: (...args) => catalog.use(...args),
    eraseTenant: (...args) => catalog.eraseTenant(...args),
  };
}

/** Returns a function that calls `body` only the first time. */
function once(body: () => Promise<unknown>): () => Promise<unknown> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await body();
  };
}

/**
 * Returns a service in which a document was removed, but the process ended before that was recorded. The next sweep
 * removes any file with the same storage id.
 */
async function placeWithLeftover() {
  const [storage, catalog] = [memoryStorage(), memoryFileCatalog()];
  const away: Storage = watchedStorage(storage, (method) => {
    if (method === "remove") throw new Error("This process has ended.");
  });
  const { files, open, later } = makePlace({ storage, catalog });
  const dying = open({ storage: away });
  const first = await dying.storageOf("acme").create(ROOT, "a.pdf", text("one"));
  await dying.remove("acme", first.ref.id);
  await storage.remove(file(PLACE));
  return { storage, catalog, files, open, later };
}

describe("a document whose storage id is swept after it was written", () => {
  test("exists with its bytes", async () => {
    const { storage, catalog, files, open, later } = await placeWithLeftover();
    const racing = open({ catalog: watchedCatalog(catalog, { add: once(() => files.sweep()) }) });
    const { ref } = await racing.storageOf("acme").create(ROOT, "a.pdf", text("two"));
    expect(await contentOf(files, ref.id)).toBe("two");
    later();
    expect((await listed(files)).map(({ id, name }) => [id, name])).toEqual([[ref.id, "a.pdf"]]);
    await files.sweep();
    expect(await contentOf(files, ref.id)).toBe("two");
    expect(await stored(storage, ACME)).toEqual([".quire"]);
    expect(await stored(storage, HIDDEN)).toHaveLength(1);
  });

  test("exists even if a listing has picked it up before", async () => {
    const { catalog, files, open, later } = await placeWithLeftover();
    const listing = open({ catalog: watchedCatalog(catalog, { add: once(() => files.sweep()) }) });
    const racing = open({
      catalog: watchedCatalog(catalog, { add: once(() => namesIn(listing)) }),
    });
    const { ref } = await racing.storageOf("acme").create(ROOT, "a.pdf", text("two"));
    later();
    expect((await listed(files)).map(({ id }) => id)).toEqual([ref.id]);
    expect(await contentOf(files, ref.id)).toBe("two");
  });

  test("is not acknowledged if it was a stream, which cannot be read again", async () => {
    const { catalog, files, open } = await placeWithLeftover();
    const racing = open({ catalog: watchedCatalog(catalog, { add: once(() => files.sweep()) }) });
    const view = racing.storageOf("acme");
    const error = await rejects(view.create(ROOT, "a.pdf", stream("two")), "storage_failed");
    expect(error.retryable).toBe(true);
    expect(await namesIn(files)).toEqual([]);
    const { ref } = await view.create(ROOT, "a.pdf", stream("two"));
    expect(await contentOf(files, ref.id)).toBe("two");
  });

  test.each(["two", "three"])("does not replace another document (%s)", async (content) => {
    const { storage, catalog, files, open, later } = await placeWithLeftover();
    const made: string[] = [];
    const sweepAndMake = once(async () => {
      await files.sweep();
      made.push((await files.storageOf("acme").create(ROOT, "a.pdf", text(content))).ref.id);
    });
    const racing = open({ catalog: watchedCatalog(catalog, { add: sweepAndMake }) });
    const [outcome] = await Promise.allSettled([
      racing.storageOf("acme").create(ROOT, "a.pdf", text("two")),
    ]);
    // If the bytes are equal, the service cannot distinguish the two documents.
    expect(outcome?.status).toBe(content === "two" ? "fulfilled" : "rejected");
    later();
    expect((await listed(files)).map(({ id }) => id)).toEqual(made);
    expect(await contentOf(files, made[0] ?? "")).toBe(content);
    expect(await stored(storage, ACME)).toEqual([".quire", "a.pdf"]);
  });

  test("leaves alone what somebody else has put in its place", async () => {
    const { storage, catalog, files, open } = await placeWithLeftover();
    const sweepAndPut = once(async () => {
      await files.sweep();
      await storage.create(ACME, "a.pdf", text("theirs"));
    });
    const racing = open({ catalog: watchedCatalog(catalog, { add: sweepAndPut }) });
    const { ref } = await racing.storageOf("acme").create(ROOT, "a.pdf", text("two"));
    expect(await contentOf(files, ref.id)).toBe("two");
    await files.sweep();
    expect((await storage.read(file(PLACE))).bytes).toEqual(text("theirs"));
  });

  test("is checked again only if something was swept in the meantime", async () => {
    const looked: string[] = [];
    const storage = watchedStorage(memoryStorage(), (method, id) => {
      if (id.endsWith(".pdf") && method !== "remove") looked.push(`${method} ${id}`);
    });
    const { files } = makePlace({ storage });
    const view = files.storageOf("acme");
    const { ref } = await view.create(ROOT, "b.pdf", text("one"));
    await files.remove("acme", ref.id);
    await view.create(ROOT, "a.pdf", text("two"));
    expect(looked).toEqual([]);
  });
});

describe("a file that is gone from the storage", () => {
  test("is kept if somebody uploads a version of it during a listing", async () => {
    const { storage, catalog, files, open, later } = makePlace();
    const made = await files.storageOf("acme").create(ROOT, "a.pdf", text("one"));
    await storage.remove(file(PLACE));
    later();
    const upload = once(() => files.uploadVersion(ANNA, made.ref.id, stream("two")));
    const listing = open({ catalog: watchedCatalog(catalog, { gone: upload }) });
    expect(await namesIn(listing)).toEqual(["a.pdf"]);
    await files.sweep();
    expect(await contentOf(files, made.ref.id)).toBe("two");
    expect(await files.versions("acme", made.ref.id)).toHaveLength(2);
  });
});

test("an adopted version keeps its bytes if a newer version was uploaded before its creator added it", async () => {
  const { catalog, files, open } = makePlace();
  const pickedUpAndReplaced = once(async () => {
    const [entry] = await listed(files);
    await files.uploadVersion(ANNA, entry?.id ?? "", stream("two"));
  });
  const racing = open({ catalog: watchedCatalog(catalog, { add: pickedUpAndReplaced }) });
  await rejects(racing.storageOf("acme").create(ROOT, "a.pdf", text("one")), "conflict");
  const [entry] = await listed(files);
  const versions = await files.versions("acme", entry?.id ?? "");
  const contents = versions.map(({ id }) => contentOf(files, entry?.id ?? "", id));
  expect(await Promise.all(contents)).toEqual(["two", "one"]);
});
