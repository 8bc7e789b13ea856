import { memoryStorage } from "@quire/core";
import { describe, expect, test } from "vitest";
import {
  ACME,
  ANNA,
  contentOf,
  file,
  folder,
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

describe("a document that an engine creates", () => {
  test("is a file under its name in its folder of the storage", async () => {
    const { files, storage } = makePlace();
    const made = await files.createFolder(ANNA, "0", "letters");
    const view = files.storageOf("acme");
    const info = await view.create(folder(made.id), "a.pdf", text("one"));
    const entry = await files.resolve("acme", info.ref);
    expect(entry).toMatchObject({
      id: info.ref.id,
      parentId: made.id,
      name: "a.pdf",
      createdBy: null,
    });
    expect(entry).toMatchObject({
      version: { id: info.version, size: 3, sha1: expect.any(String) },
    });
    const found = await storage.read(file("tenants/acme/letters/a.pdf"));
    expect(found.bytes).toEqual(text("one"));
    expect(await view.find(folder(made.id), "A.PDF")).toEqual(info);
  });

  test("cannot have a name that differs from an uploaded file only in case", async () => {
    const { files, storage } = makePlace();
    await files.upload(ANNA, "0", "Offer.pdf", stream("one"));
    await rejects(files.storageOf("acme").create(ROOT, "OFFER.pdf", text("two")), "conflict");
    expect(await stored(storage, ACME)).toEqual([".quire"]);
  });

  test("is found if its process ended before it was in the catalog", async () => {
    const { storage, catalog, open } = makePlace();
    const killed = open({
      storage: watchedStorage(
        storage,
        () => {},
        (method, id) => {
          if (method === "create" && id === ACME.id) throw new Error("This process has ended.");
        },
      ),
    });
    await expect(killed.storageOf("acme").create(ROOT, "a.pdf", text("one"))).rejects.toThrow(
      "ended",
    );
    const files = open();
    const view = files.storageOf("acme");
    await rejects(view.create(ROOT, "a.pdf", text("one")), "conflict");
    const found = await view.find(ROOT, "a.pdf");
    expect((await view.read(file(found?.ref.id ?? ""))).bytes).toEqual(text("one"));
    expect(await namesIn(files)).toEqual(["a.pdf"]);
    expect(await catalog.find("acme", { type: "file", storageId: "tenants/acme/a.pdf" })).not.toBe(
      null,
    );
  });

  test("is the adopted file if that was in the catalog first", async () => {
    const storage = memoryStorage();
    const { open, files } = makePlace({ storage });
    const slow = open({
      storage: watchedStorage(
        storage,
        () => {},
        async (method, id) => {
          if (method === "create" && id === ACME.id)
            await files.storageOf("acme").find(ROOT, "a.pdf");
        },
      ),
    });
    const info = await slow.storageOf("acme").create(ROOT, "a.pdf", text("one"));
    expect((await listed(files)).map(({ id }) => id)).toEqual([info.ref.id]);
  });

  test.each(["bytes", "stream"])(
    "can be created again (%s) under the old name of a renamed one",
    async (how) => {
      const { files, storage, later } = makePlace();
      const view = files.storageOf("acme");
      const first = await view.create(ROOT, "a.pdf", text("one"));
      await files.rename("acme", first.ref.id, "b.pdf");
      expect(await view.find(ROOT, "a.pdf")).toBe(null);
      const second = await view.create(
        ROOT,
        "a.pdf",
        how === "bytes" ? text("two") : stream("two"),
      );
      later();
      expect(await namesIn(files)).toEqual(["a.pdf", "b.pdf"]);
      expect(await contentOf(files, first.ref.id)).toBe("one");
      expect(await contentOf(files, second.ref.id)).toBe("two");
      expect(await view.find(ROOT, "a.pdf")).toEqual(second);
      expect(await stored(storage, ACME)).toEqual([".quire", "a.pdf"]);
      expect(await stored(storage, HIDDEN)).toHaveLength(1);
      await files.remove("acme", first.ref.id);
      expect(await contentOf(files, second.ref.id)).toBe("two");
    },
  );

  test("can be created again while the bytes of a removed one are still pending", async () => {
    const storage = memoryStorage();
    let isBroken = false;
    const { files, later, open } = makePlace({
      storage: watchedStorage(storage, (method) => {
        if (isBroken && method === "remove") throw new Error("The disk is away.");
      }),
    });
    const view = files.storageOf("acme");
    const first = await view.create(ROOT, "a.pdf", text("one"));
    isBroken = true;
    await files.remove("acme", first.ref.id);
    await rejects(view.read(first.ref), "not_found");
    later();
    expect(await namesIn(files)).toEqual([]);
    const second = await view.create(ROOT, "a.pdf", text("two"));
    isBroken = false;
    await open({ storage }).sweep();
    expect(await stored(storage, ACME)).toEqual([".quire"]);
    later();
    expect(await namesIn(files)).toEqual(["a.pdf"]);
    expect(await contentOf(files, second.ref.id)).toBe("two");
  });

  test("is not lost if it is created while the removal of an older one of its name is in progress", async () => {
    const storage = memoryStorage();
    let remake: (() => Promise<unknown>) | null = null;
    const { files, later } = makePlace({
      storage: watchedStorage(
        storage,
        () => {},
        async (method, id) => {
          if (method !== "remove" || id !== "tenants/acme/a.pdf") return;
          const body = remake;
          remake = null;
          await body?.();
        },
      ),
    });
    const view = files.storageOf("acme");
    const first = await view.create(ROOT, "a.pdf", text("one"));
    remake = () => view.create(ROOT, "a.pdf", text("two"));
    await files.remove("acme", first.ref.id);
    later();
    const [entry, ...others] = await listed(files);
    expect(others).toEqual([]);
    expect(entry?.name).toBe("a.pdf");
    expect(await contentOf(files, entry?.id ?? "")).toBe("two");
    expect(await stored(storage, ACME)).toEqual([".quire"]);
  });

  test("goes into a folder that somebody has removed from the storage, which is created again", async () => {
    const { files, storage } = makePlace();
    const outer = await files.createFolder(ANNA, "0", "outer");
    const inner = await files.createFolder(ANNA, outer.id, "inner");
    await storage.removeFolder(folder("tenants/acme/outer/inner"));
    await storage.removeFolder(folder("tenants/acme/outer"));
    const { ref } = await files.storageOf("acme").create(folder(inner.id), "a.pdf", text("one"));
    expect(await contentOf(files, ref.id)).toBe("one");
  });

  test("is not kept if its folder has been removed from the catalog", async () => {
    const storage = memoryStorage();
    let before: (() => Promise<unknown>) | null = null;
    const { files } = makePlace({
      storage: watchedStorage(storage, async (method, id) => {
        const body = before;
        if (method === "create" && id === "tenants/acme/letters") {
          before = null;
          await body?.();
        }
      }),
    });
    const made = await files.createFolder(ANNA, "0", "letters");
    before = () => files.remove("acme", made.id);
    const view = files.storageOf("acme");
    await rejects(view.create(folder(made.id), "a.pdf", text("one")), "not_found");
    expect(await stored(storage, ACME)).toEqual([".quire"]);
  });
});

describe("a template", () => {
  test("is read by its id, by its path, and by a plain path, as templates name their includes", async () => {
    const { files } = makePlace();
    const made = await files.createFolder(ANNA, "0", "parts");
    const { id, version } = await files.upload(ANNA, made.id, "terms.docx", stream("one"));
    const view = files.storageOf("acme");
    for (const each of [id, "path:parts/terms.docx", "parts/terms.docx", "parts/TERMS.docx"]) {
      const read = await view.read(file(each));
      expect(read).toMatchObject({ ref: { id }, version: version.id, name: "terms.docx", size: 3 });
    }
    await rejects(view.read(file("parts/.quire/x")), "forbidden");
    await rejects(view.read(file("parts")), "not_found");
  });

  test("is read in the requested version", async () => {
    const { files } = makePlace();
    const first = await files.upload(ANNA, "0", "a.docx", stream("one"));
    await files.uploadVersion(ANNA, first.id, stream("two"));
    const view = files.storageOf("acme");
    const read = await view.read(file("a.docx"), { version: first.version.id });
    expect([read.version, read.bytes]).toEqual([first.version.id, text("one")]);
  });
});
