import { memoryStorage } from "@quire/core";
import { describe, expect, test } from "vitest";
import {
  ACME,
  ANNA,
  contentOf,
  file,
  folder,
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

const A = file("tenants/acme/a.docx");

describe("items that others put into a tenant's folder of the storage", () => {
  test("are listed, with a stable id", async () => {
    const { files, storage, later, open } = makePlace();
    await namesIn(files);
    await storage.create(ACME, "a.docx", text("one"));
    const made = await storage.createFolder(ACME, "letters");
    await storage.create(made, "b.docx", text("two"));
    later();
    const [letters, document] = await listed(files);
    expect(letters).toMatchObject({ type: "folder", name: "letters", createdBy: null });
    expect(document).toMatchObject({ type: "file", name: "a.docx", createdBy: null, versions: 1 });
    expect(await namesIn(files, letters?.id)).toEqual(["b.docx"]);
    later();
    expect(await listed(open())).toEqual([letters, document]);
    expect(await contentOf(files, document?.id ?? "")).toBe("one");
  });

  test("are found by their path without being listed before", async () => {
    const { files, storage } = makePlace();
    await files.resolve("acme", ROOT);
    const outer = await storage.createFolder(ACME, "outer");
    const inner = await storage.createFolder(outer, "inner");
    await storage.create(inner, "a.docx", text("one"));
    const entry = await files.resolve("acme", file("path:OUTER/inner/a.docx"));
    expect(await contentOf(files, entry.id)).toBe("one");
    expect((await files.storageOf("acme").read(file("outer/inner/a.docx"))).ref.id).toBe(entry.id);
    // Files are found immediately, even if the folder has just been checked.
    await storage.create(inner, "b.docx", text("two"));
    expect(await files.resolve("acme", file("path:outer/inner/b.docx"))).toMatchObject({
      name: "b.docx",
    });
  });

  test("are found and occupy their names without a listing of the folder, in a storage with exact names", async () => {
    const methods: string[] = [];
    const storage = watchedStorage(memoryStorage(), (method) => void methods.push(method));
    const { files } = makePlace({ storage });
    await files.resolve("acme", ROOT);
    await storage.create(ACME, "a.docx", text("one"));
    await storage.create(ACME, "b.docx", text("two"));
    methods.length = 0;
    const own = files.storageOf("acme");
    const found = await own.find(ROOT, "a.docx");
    expect(found?.name).toBe("a.docx");
    await rejects(own.create(ROOT, "b.docx", text("x")), "conflict");
    expect(methods).not.toContain("list");
    expect(await namesIn(files)).toEqual(["a.docx", "b.docx"]);
  });

  test("occupy their names: uploads and renames to these names fail", async () => {
    const { files, storage } = makePlace();
    const { id } = await files.upload(ANNA, "0", "b.docx", stream("two"));
    await storage.create(ACME, "a.docx", text("one"));
    await storage.createFolder(ACME, "letters");
    await rejects(files.upload(ANNA, "0", "a.docx", stream("x")), "conflict");
    await rejects(files.rename("acme", id, "a.docx"), "conflict");
    await rejects(files.storageOf("acme").create(ROOT, "a.docx", text("x")), "conflict");
    await rejects(files.createFolder(ANNA, "0", "Letters"), "conflict");
  });

  test("are skipped if their name is invalid, or differs from another only in case", async () => {
    const { files, storage, later } = makePlace({
      storage: memoryStorage({ files: { "tenants/acme/bad:name.docx": text("x") } }),
    });
    const { id } = await files.upload(ANNA, "0", "A.docx", stream("mine"));
    await storage.create(ACME, "a.docx", text("theirs"));
    for (const name of ["b.docx", "B.docx"]) await storage.create(ACME, name, text(name));
    later();
    expect(await namesIn(files)).toEqual(["A.docx", "B.docx"]);
    expect(await contentOf(files, id)).toBe("mine");
    await files.rename("acme", id, "c.docx");
    later();
    const [shown] = await listed(files);
    expect(shown?.name).toBe("a.docx");
    expect(await contentOf(files, shown?.id ?? "")).toBe("theirs");
  });

  test("do not prevent the listing of others when they cannot be read", async () => {
    const inner = memoryStorage();
    const { files } = makePlace({
      storage: watchedStorage(inner, async (method, _, name) => {
        if (method === "find" && name === "a.docx") await inner.list(folder("missing"));
      }),
    });
    await files.resolve("acme", ROOT);
    for (const name of ["a.docx", "b.docx"]) await inner.create(ACME, name, text(name));
    expect(await namesIn(files)).toEqual(["b.docx"]);
  });
});

describe("items that others change in the storage", () => {
  test("get a new version, and the old one is no longer available", async () => {
    const { files, storage } = makePlace();
    const view = files.storageOf("acme");
    const { ref, version } = await view.create(ROOT, "a.docx", text("one"));
    await storage.remove(A);
    await storage.create(ACME, "a.docx", text("other"));
    const entry = await files.resolve("acme", ref);
    expect(entry).toMatchObject({ id: ref.id, versions: 2, version: { size: 5, sha1: null } });
    expect((await files.versions("acme", ref.id)).map(({ id }) => id)).toContain(version);
    expect(await contentOf(files, ref.id)).toBe("other");
    await rejects(files.read("acme", ref.id, { version }), "not_found");
    expect((await view.find(ROOT, "a.docx"))?.version).not.toBe(version);
    expect(await files.versions("acme", ref.id)).toHaveLength(2);
  });

  test("get a new version even if they are read first", async () => {
    const { files, storage } = makePlace();
    const { ref } = await files.storageOf("acme").create(ROOT, "a.docx", text("one"));
    await storage.remove(A);
    await storage.create(ACME, "a.docx", text("other"));
    const read = await files.read("acme", ref.id);
    expect(read.file.versions).toBe(2);
    expect(read.version).toEqual(read.file.version);
    expect(read.bytes).toEqual(text("other"));
  });

  test("do not hide a version that was uploaded", async () => {
    const { files, storage, later } = makePlace();
    const { ref } = await files.storageOf("acme").create(ROOT, "a.docx", text("one"));
    await files.uploadVersion(ANNA, ref.id, stream("mine"));
    await storage.remove(A);
    await storage.create(ACME, "a.docx", text("theirs"));
    later();
    expect(await namesIn(files)).toEqual(["a.docx"]);
    expect(await contentOf(files, ref.id)).toBe("mine");
    await files.rename("acme", ref.id, "b.docx");
    later();
    expect(await namesIn(files)).toEqual(["b.docx"]);
  });
});

describe("a file that others have removed from the storage", () => {
  const gone = async () => {
    const place = makePlace();
    const { ref } = await place.files.storageOf("acme").create(ROOT, "a.docx", text("one"));
    await place.storage.remove(A);
    place.later();
    return { ...place, ref };
  };

  test("is no longer listed", async () => {
    const { files } = await gone();
    expect(await namesIn(files)).toEqual([]);
  });

  test("is no longer found", async () => {
    const one = await gone();
    await rejects(one.files.resolve("acme", one.ref), "not_found");
    const other = await gone();
    await rejects(other.files.read("acme", other.ref.id), "not_found");
    expect(await other.catalog.find("acme", { id: other.ref.id })).toBeNull();
    expect(await namesIn(other.files)).toEqual([]);
  });

  test("frees its name for other files, which get new ids", async () => {
    for (const how of ["upload", "create", "outside"]) {
      const { files, storage, later, open, ref } = await gone();
      if (how === "upload") await files.upload(ANNA, "0", "a.docx", stream("two"));
      if (how === "create") await files.storageOf("acme").create(ROOT, "a.docx", text("two"));
      if (how === "outside") {
        expect(await namesIn(files)).toEqual([]);
        await storage.create(ACME, "a.docx", text("two"));
      }
      await open().sweep();
      later();
      const [entry] = await listed(files);
      expect(entry?.id).not.toBe(ref.id);
      expect(await contentOf(files, entry?.id ?? "")).toBe("two");
    }
  });

  test("goes with its folder, while uploads to that folder remain", async () => {
    const { files, storage, later } = makePlace();
    const { id } = await files.createFolder(ANNA, "0", "letters");
    await files.storageOf("acme").create(folder(id), "a.docx", text("one"));
    const kept = await files.upload(ANNA, id, "b.docx", stream("two"));
    await storage.remove(file("tenants/acme/letters/a.docx"));
    await storage.removeFolder(folder("tenants/acme/letters"));
    later();
    expect(await namesIn(files, id)).toEqual(["b.docx"]);
    expect(await contentOf(files, kept.id)).toBe("two");
  });

  test("is still known while the whole storage is missing, and available when that is back", async () => {
    const { files, storage, catalog, open, later } = makePlace();
    const { ref } = await files.storageOf("acme").create(ROOT, "a.docx", text("one"));
    const away = makePlace({ storage: memoryStorage(), catalog });
    expect(await namesIn(away.files)).toEqual(["a.docx"]);
    await rejects(away.files.read("acme", ref.id), "not_found");
    await away.files.sweep();
    later();
    const back = open();
    expect(await contentOf(back, ref.id)).toBe("one");
    expect(await stored(storage, ACME)).toEqual([".quire", "a.docx"]);
  });
});

describe("a folder of the storage", () => {
  const counting = () => {
    const calls = new Map<string, number>();
    const count = (method: string) => void calls.set(method, (calls.get(method) ?? 0) + 1);
    const inner = memoryStorage();
    return { calls, inner, place: makePlace({ storage: watchedStorage(inner, count) }) };
  };

  test("is read once for all concurrent callers, and again two seconds later", async () => {
    const { calls, place } = counting();
    await Promise.all(Array.from({ length: 20 }, () => namesIn(place.files)));
    await namesIn(place.files);
    expect(calls.get("list")).toBe(1);
    place.later();
    await namesIn(place.files);
    expect(calls.get("list")).toBe(2);
  });

  test("is read once for a listing of several pages, however long it takes", async () => {
    const { calls, inner, place } = counting();
    await namesIn(place.files);
    place.later();
    calls.clear();
    for (let index = 0; index < 5; index++) await inner.create(ACME, `${index}.pdf`, text("x"));
    const names: string[] = [];
    for (let offset = 0; offset < 6; offset += 2) {
      const page = await place.files.list("acme", "0", { limit: 2, offset });
      names.push(...page.items.map(({ name }) => name));
      place.later();
    }
    expect(names).toEqual(["0.pdf", "1.pdf", "2.pdf", "3.pdf", "4.pdf"]);
    expect(calls.get("list")).toBe(1);
  });

  test("is read again at once after a failure", async () => {
    const inner = memoryStorage();
    let isAway = true;
    const { files } = makePlace({
      storage: watchedStorage(inner, async (method) => {
        if (method === "list" && isAway) throw new Error("The disk is away.");
      }),
    });
    await expect(namesIn(files)).rejects.toThrow("away");
    isAway = false;
    expect(await namesIn(files)).toEqual([]);
  });

  test("has no costs per known file", async () => {
    const { calls, inner, place } = counting();
    await namesIn(place.files);
    for (let index = 0; index < 300; index++) await inner.create(ACME, `${index}.pdf`, text("x"));
    place.later();
    expect(await namesIn(place.files)).toHaveLength(300);
    calls.clear();
    place.later();
    expect(await namesIn(place.files)).toHaveLength(300);
    expect(calls).toEqual(new Map([["list", 1]]));
  });
});
