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

describe("a folder", () => {
  test("has an id, a name and a creator, and exists in the storage", async () => {
    const { files, storage } = makePlace();
    const outer = await files.createFolder(ANNA, "0", "outer");
    const inner = await files.createFolder(ANNA, outer.id, "Ä".normalize("NFD"));
    expect(inner).toMatchObject({ type: "folder", name: "Ä".normalize("NFC"), createdBy: "anna" });
    expect(inner.parentId).toBe(outer.id);
    expect(await files.resolve("acme", folder("path:outer/ä"))).toEqual(inner);
    expect(await stored(storage, folder("tenants/acme/outer"))).toEqual(["Ä".normalize("NFC")]);
  });

  test("is not created under a name that is taken or invalid", async () => {
    const { files } = makePlace();
    await files.upload(ANNA, "0", "a.docx", stream("one"));
    await files.createFolder(ANNA, "0", "letters");
    for (const name of ["LETTERS", "a.docx", "A.docx"]) {
      await rejects(files.createFolder(ANNA, "0", name), "conflict");
    }
    for (const name of ["..", "a/b", "", ".quire"]) {
      await rejects(files.createFolder(ANNA, "0", name), "item_name_invalid");
    }
    await rejects(files.createFolder(ANNA, "missing", "a"), "not_found");
  });

  test("is created once if 10 calls use one name at the same time", async () => {
    const { files } = makePlace();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => files.createFolder(ANNA, "0", "letters")),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await namesIn(files)).toEqual(["letters"]);
  });

  test("is listed in pages: first folders, then files, each sorted by name", async () => {
    const { files } = makePlace();
    for (const name of ["c", "B", "a"]) await files.upload(ANNA, "0", name, stream(name));
    for (const name of ["z", "Y"]) await files.createFolder(ANNA, "0", name);
    const first = await files.list("acme", "0", { limit: 3 });
    expect(first.items.map(({ name }) => name)).toEqual(["Y", "z", "a"]);
    expect(first.total).toBe(5);
    const rest = await files.list("acme", "0", { limit: 3, marker: first.nextMarker ?? "" });
    expect(rest.items.map(({ name }) => name)).toEqual(["B", "c"]);
    const middle = await files.list("acme", "0", { limit: 2, offset: 1 });
    expect(middle.items.map(({ name }) => name)).toEqual(["z", "a"]);
  });

  test('is found by its id, by "0" for the root, and not as a file', async () => {
    const { files } = makePlace();
    const root = await files.resolve("acme", ROOT);
    expect(root).toMatchObject({ type: "folder", parentId: null, name: "" });
    expect(await files.resolve("acme", folder("path:"))).toEqual(root);
    expect(await files.resolve("acme", folder(root.id))).toEqual(root);
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("one"));
    for (const ref of [file("0"), file(root.id), folder(id), folder("path:a.docx"), file("none")]) {
      await rejects(files.resolve("acme", ref), "not_found");
    }
    await rejects(files.resolve("acme", file("path:../a.docx")), "forbidden");
  });
});

describe("a renamed file", () => {
  test("keeps its id and its bytes, and frees its old name", async () => {
    const { files } = makePlace();
    const first = await files.upload(ANNA, "0", "a.docx", stream("one"));
    expect(await files.rename("acme", first.id, "A.DOCX")).toMatchObject({ name: "A.DOCX" });
    const renamed = await files.rename("acme", first.id, "b.docx");
    expect(renamed).toMatchObject({ id: first.id, name: "b.docx", versions: 1 });
    const second = await files.upload(ANNA, "0", "a.docx", stream("two"));
    expect(await contentOf(files, first.id)).toBe("one");
    expect(await contentOf(files, second.id)).toBe("two");
    await rejects(files.rename("acme", second.id, "B.docx"), "conflict");
    await rejects(files.rename("acme", second.id, "../b.docx"), "item_name_invalid");
    const { id } = await files.createFolder(ANNA, "0", "letters");
    await rejects(files.rename("acme", id, "x"), "not_found");
  });
});

describe("a removed item", () => {
  test("no longer exists, and neither do the bytes of its versions", async () => {
    const { files, storage } = makePlace();
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("one"));
    await files.uploadVersion(ANNA, id, stream("two"));
    const view = files.storageOf("acme");
    const made = await view.create(ROOT, "b.pdf", text("three"));
    await files.remove("acme", id);
    await view.remove(made.ref);
    await rejects(files.remove("acme", id), "not_found");
    expect(await namesIn(files)).toEqual([]);
    expect(await stored(storage, HIDDEN)).toEqual([]);
    expect(await stored(storage, ACME)).toEqual([".quire"]);
  });

  test("can be created again under its name, with a new id", async () => {
    const { files } = makePlace();
    const view = files.storageOf("acme");
    for (let round = 0; round < 3; round++) {
      const made = await files.createFolder(ANNA, "0", "letters");
      const first = await files.upload(ANNA, made.id, "a.docx", stream(`a${round}`));
      const second = await view.create(folder(made.id), "b.pdf", text(`b${round}`));
      expect(await contentOf(files, first.id)).toBe(`a${round}`);
      expect(await contentOf(files, second.ref.id)).toBe(`b${round}`);
      await files.remove("acme", made.id, { recursive: true });
      expect(await namesIn(files)).toEqual([]);
      await rejects(files.read("acme", first.id), "not_found");
    }
  });

  test("is not a folder with content, unless the removal is recursive", async () => {
    const { files, storage } = makePlace();
    const outer = await files.createFolder(ANNA, "0", "outer");
    const inner = await files.createFolder(ANNA, outer.id, "inner");
    await files.upload(ANNA, inner.id, "a.docx", stream("one"));
    await storage.create(folder("tenants/acme/outer/inner"), "theirs.docx", text("two"));
    await rejects(files.remove("acme", outer.id), "conflict");
    await rejects(files.remove("acme", inner.id), "conflict");
    await files.remove("acme", outer.id, { recursive: true });
    expect(await namesIn(files)).toEqual([]);
    expect(await stored(storage, ACME)).toEqual([".quire"]);
    expect(await stored(storage, HIDDEN)).toEqual([]);
  });

  test("is not a folder into which others have just put a file", async () => {
    const { files, storage } = makePlace();
    const { id } = await files.createFolder(ANNA, "0", "letters");
    expect(await namesIn(files, id)).toEqual([]);
    await storage.create(folder("tenants/acme/letters"), "a.docx", text("one"));
    await rejects(files.remove("acme", id), "conflict");
  });

  test("is never the root", async () => {
    const { files } = makePlace();
    await rejects(files.remove("acme", "0"), "forbidden");
    await rejects(files.remove("acme", "0", { recursive: true }), "forbidden");
    await rejects(files.storageOf("acme").removeFolder(ROOT), "forbidden");
  });

  test("leaves content that others have put into its folder and that has no valid name", async () => {
    const { files, storage, later } = makePlace({
      storage: memoryStorage({ files: { "tenants/acme/letters/bad:name": text("theirs") } }),
    });
    const [letters] = await listed(files);
    await files.remove("acme", letters?.id ?? "", { recursive: true });
    later();
    const [again] = await listed(files);
    expect(again?.name).toBe("letters");
    expect(again?.id).not.toBe(letters?.id);
    expect(await stored(storage, folder("tenants/acme/letters"))).toEqual(["bad:name"]);
  });

  test("is no longer listed if its bytes could not be removed, and these are removed later", async () => {
    const inner = memoryStorage();
    let isAway = false;
    const { files, later, open } = makePlace({
      storage: watchedStorage(inner, (method) => {
        if (isAway && method.startsWith("remove")) throw new Error("The disk is away.");
      }),
    });
    const made = await files.createFolder(ANNA, "0", "letters");
    await files.storageOf("acme").create(folder(made.id), "a.pdf", text("one"));
    await files.upload(ANNA, made.id, "b.docx", stream("two"));
    isAway = true;
    await files.remove("acme", made.id, { recursive: true });
    later();
    expect(await namesIn(files)).toEqual([]);
    expect(await stored(inner, HIDDEN)).toHaveLength(1);
    await open({ storage: inner }).sweep();
    expect(await stored(inner, HIDDEN)).toEqual([]);
    expect(await stored(inner, ACME)).toEqual([".quire"]);
  });

  test("keeps its bytes until nothing refers to them", async () => {
    const inner = memoryStorage();
    const order: string[] = [];
    const { files, catalog } = makePlace({
      storage: watchedStorage(inner, async (method, id) => {
        if (method !== "remove") return;
        const entry = await catalog.find("acme", { type: "file", storageId: id });
        order.push(entry === null ? "unlisted" : "listed");
      }),
    });
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("one"));
    await files.remove("acme", id);
    expect(order).toEqual(["unlisted"]);
  });
});
