import { memoryStorage } from "@quire/core";
import { describe, expect, test } from "vitest";
import { ANNA, file, folder, makePlace, ROOT, rejects, stream, text } from "./support/place.ts";
import { watchedStorage } from "./support/wrapped.ts";

function watchedPlace() {
  const asked: string[] = [];
  const storage = watchedStorage(memoryStorage(), (method, id) => {
    asked.push(`${method} ${id}`);
  });
  const reads = () => asked.filter((each) => each.startsWith("read "));
  return { ...makePlace({ storage }), asked, reads };
}

describe("the bytes of an upload", () => {
  test("are read from the storage once, and every reader gets a copy", async () => {
    const { files, reads } = watchedPlace();
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("one"));
    const view = files.storageOf("acme");
    for (let time = 0; time < 3; time++) {
      const { bytes } = await view.read(file(id));
      expect(bytes).toEqual(text("one"));
      bytes.fill(0);
    }
    expect(reads()).toHaveLength(1);
  });

  test("belong to the version, even if there are newer ones", async () => {
    const { files } = watchedPlace();
    const first = await files.upload(ANNA, "0", "a.docx", stream("one"));
    const view = files.storageOf("acme");
    expect((await view.read(file(first.id))).bytes).toEqual(text("one"));
    await files.uploadVersion(ANNA, first.id, stream("two"));
    expect((await view.read(file(first.id))).bytes).toEqual(text("two"));
    const old = await view.read(file(first.id), { version: first.version.id });
    expect(old.bytes).toEqual(text("one"));
  });

  test("are removed with their file, but the bytes of another tenant remain", async () => {
    const { files } = watchedPlace();
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("one"));
    await files.storageOf("acme").read(file(id));
    await rejects(files.storageOf("other").read(file(id)), "not_found");
    await files.remove("acme", id);
    await rejects(files.storageOf("acme").read(file(id)), "not_found");
  });

  test("are read again each time if there are many", async () => {
    const { files, reads } = watchedPlace();
    const { id } = await files.upload(ANNA, "0", "a.docx", stream("x".repeat(4_000_001)));
    for (let time = 0; time < 2; time++) await files.storageOf("acme").read(file(id));
    expect(reads()).toHaveLength(2);
  });
});

test("a file that others may change in its folder is read again each time", async () => {
  const { files, storage, reads } = watchedPlace();
  const view = files.storageOf("acme");
  const { ref } = await view.create(ROOT, "a.docx", text("one"));
  expect((await view.read(ref)).bytes).toEqual(text("one"));
  await storage.remove(file("tenants/acme/a.docx"));
  await storage.create(folder("tenants/acme"), "a.docx", text("two"));
  expect((await view.read(ref)).bytes).toEqual(text("two"));
  expect(reads()).toHaveLength(2);
});

describe("a name", () => {
  test("is taken by files and folders, in any case, without asking the storage", async () => {
    const { files, asked } = watchedPlace();
    const view = files.storageOf("acme");
    await files.upload(ANNA, "0", "Offer.pdf", stream("one"));
    await files.createFolder(ANNA, "0", "Letters");
    asked.length = 0;
    const nameTaken = ["OFFER.pdf", "letters", "else.pdf"].map((name) =>
      view.isTaken?.(ROOT, name),
    );
    expect(await Promise.all(nameTaken)).toEqual([true, true, false]);
    expect(asked).toEqual([]);
  });

  test("is free again when somebody else has removed its file from the storage", async () => {
    const { files, storage } = watchedPlace();
    const view = files.storageOf("acme");
    await view.create(ROOT, "a.pdf", text("one"));
    expect(await view.isTaken?.(ROOT, "a.pdf")).toBe(true);
    await storage.remove(file("tenants/acme/a.pdf"));
    expect(await view.isTaken?.(ROOT, "a.pdf")).toBe(false);
  });

  test("that only the storage has is found when a document is created", async () => {
    const { files, storage } = watchedPlace();
    const view = files.storageOf("acme");
    await files.list("acme", "0", { limit: 10 });
    await storage.create(folder("tenants/acme"), "a.pdf", text("foreign"));
    expect(await view.isTaken?.(ROOT, "a.pdf")).toBe(false);
    await rejects(view.create(ROOT, "a.pdf", text("ours")), "conflict");
    expect(await view.isTaken?.(ROOT, "a.pdf")).toBe(true);
  });

  test("is rejected for a missing folder and for an invalid name", async () => {
    const { files } = watchedPlace();
    const view = files.storageOf("acme");
    await rejects(Promise.resolve(view.isTaken?.(folder("no"), "a.pdf")), "not_found");
    await rejects(Promise.resolve(view.isTaken?.(ROOT, "a/b")), "item_name_invalid");
  });
});
