import { memoryFileCatalog, memoryStorage } from "@quire/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ANNA,
  contentOf,
  EVE,
  file,
  folder,
  makePlace,
  namesIn,
  ROOT,
  rejects,
  stream,
  text,
} from "./support/place.ts";
import { watchedStorage } from "./support/wrapped.ts";

describe("two tenants", () => {
  test("have separate files of the same names", async () => {
    const { files, later } = makePlace();
    for (const who of [ANNA, EVE]) {
      const made = await files.createFolder(who, "0", "letters");
      await files.upload(who, made.id, "a.docx", stream(who.tenant));
      await files.storageOf(who.tenant).create(folder(made.id), "b.pdf", text(who.tenant));
    }
    later();
    for (const who of [ANNA, EVE]) {
      const view = files.storageOf(who.tenant);
      for (const name of ["a.docx", "b.pdf"]) {
        const read = await view.read(file(`letters/${name}`));
        expect(read.bytes).toEqual(text(who.tenant));
      }
      expect(await namesIn(files, "path:letters", who.tenant)).toEqual(["a.docx", "b.pdf"]);
    }
  });

  test("cannot reach each other's files and folders by id", async () => {
    const { files } = makePlace();
    const made = await files.createFolder(ANNA, "0", "letters");
    const { id, version } = await files.upload(ANNA, made.id, "a.docx", stream("one"));
    const view = files.storageOf(EVE.tenant);
    const root = await files.resolve(ANNA.tenant, ROOT);
    const tries: (() => Promise<unknown>)[] = [
      () => files.resolve(EVE.tenant, file(id)),
      () => files.resolve(EVE.tenant, folder(made.id)),
      () => files.resolve(EVE.tenant, folder(root.id)),
      () => files.list(EVE.tenant, made.id, { limit: 10 }),
      () => files.createFolder(EVE, made.id, "x"),
      () => files.upload(EVE, made.id, "x", stream("x")),
      () => files.uploadVersion(EVE, id, stream("x")),
      () => files.rename(EVE.tenant, id, "x"),
      () => files.remove(EVE.tenant, id),
      () => files.remove(EVE.tenant, made.id, { recursive: true }),
      () => files.read(EVE.tenant, id),
      () => files.versions(EVE.tenant, id),
      () => view.read(file(id)),
      () => view.read(file(id), { version: version.id }),
      () => view.list(folder(made.id)),
      () => view.create(folder(made.id), "x", text("x")),
      () => view.createFolder(folder(made.id), "x"),
    ];
    for (const each of tries) await rejects(each(), "not_found");
    expect(await view.stat(file(id))).toBe(null);
    expect(await view.find(folder(made.id), "a.docx")).toBe(null);
    await view.remove(file(id));
    await view.removeFolder(folder(made.id));
    const own = await files.upload(EVE, "0", "a.docx", stream("two"));
    await rejects(files.read(EVE.tenant, own.id, { version: version.id }), "not_found");
    expect(await contentOf(files, id)).toBe("one");
    expect(await namesIn(files, made.id)).toEqual(["a.docx"]);
  });

  test("cannot reach each other's versions", async () => {
    const { files } = makePlace();
    const one = await files.upload(ANNA, "0", "a.docx", stream("one"));
    const other = await files.upload(ANNA, "0", "b.docx", stream("two"));
    await rejects(files.read(ANNA.tenant, one.id, { version: other.version.id }), "not_found");
  });

  test("with hostile names have separate folders", async () => {
    const { files, storage } = makePlace();
    for (const tenant of ["", "acme", "ACME", "../acme", "acme/.quire", "con"]) {
      await files.upload({ tenant, user: null }, "0", "a.docx", stream(tenant));
      await files.storageOf(tenant).create(ROOT, "b.docx", text(tenant));
      expect(await namesIn(files, "0", tenant)).toEqual(["a.docx", "b.docx"]);
    }
    const { entries } = await storage.list(folder("tenants"));
    expect(entries).toHaveLength(6);
    expect((await storage.list(folder("."))).entries).toHaveLength(1);
  });
});

describe("for all ids, paths and names,", () => {
  const parts = [
    ...["..", ".", "", "/", "\\", "a", "letters", "a.docx", ".quire", ".QUIRE", "README.txt"],
    ...["path:", "tenants", "evil", "acme", "0", "%2e%2e", "\0", "~", "secret.docx", "//", "C:"],
  ];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary", maxLength: 4 })), {
      maxLength: 6,
    })
    .chain((pieces) =>
      fc.constantFrom(pieces.join("/"), `path:${pieces.join("/")}`, pieces.join("")),
    );

  test("nothing outside of the tenant's folder is touched, and no hidden file is returned", async () => {
    const inner = memoryStorage({ files: { "tenants/evil/secret.docx": text("secret") } });
    const touched: string[] = [];
    const storage = watchedStorage(inner, (method, id, name) => {
      const isSetUp = method === "createFolder" && (id === "." || id === "tenants");
      if (!isSetUp) touched.push(name === null ? id : `${id}/${name}`);
    });
    const { files, later } = makePlace({ storage, catalog: memoryFileCatalog() });
    const made = await files.createFolder(ANNA, "0", "letters");
    await files.upload(ANNA, made.id, "a.docx", stream("one"));
    const view = files.storageOf("acme");
    const given = async (promise: Promise<unknown>): Promise<string> => {
      const outcome = await promise.then(
        (value) => value,
        (error: unknown) => error,
      );
      if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "QuireError" });
      const { bytes } = (outcome ?? {}) as { bytes?: Uint8Array };
      return bytes === undefined ? "" : new TextDecoder().decode(bytes);
    };
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (id, name) => {
        later();
        for (const outcome of [
          given(view.read(file(id))),
          given(view.stat(file(id))),
          given(view.find(folder(id), name)),
          given(view.list(folder(id))),
          given(view.create(folder(id), name, text("x"))),
          given(view.createFolder(folder(id), name)),
          given(view.remove(file(id))),
          given(view.removeFolder(folder(id))),
          given(files.resolve("acme", file(id))),
          given(files.resolve("acme", folder(id))),
          given(files.upload(ANNA, id, name, stream("x"))),
          given(files.rename("acme", id, name)),
          given(files.read("acme", id, { version: name })),
          given(files.remove("acme", id)),
        ]) {
          expect(["", "one", "x"]).toContain(await outcome);
        }
      }),
      { numRuns: 150 },
    );
    const outside = touched.filter(
      (id) => id !== "tenants/acme" && !id.startsWith("tenants/acme/"),
    );
    expect(outside).toEqual([]);
    expect(touched.filter((id) => id.split("/").some((part) => part === ".."))).toEqual([]);
    expect((await inner.read(file("tenants/evil/secret.docx"))).bytes).toEqual(text("secret"));
  });

  test("the hidden folder cannot be named, listed, created or written", async () => {
    const { files, storage } = makePlace();
    await files.upload(ANNA, "0", "a.docx", stream("one"));
    const view = files.storageOf("acme");
    for (const name of [".quire", ".Quire", ".QUIRE"]) {
      await rejects(files.resolve("acme", folder(`path:${name}`)), "forbidden");
      await rejects(view.list(folder(`path:${name}`)), "forbidden");
      await rejects(view.read(file(`${name}/README.txt`)), "forbidden");
      await rejects(files.createFolder(ANNA, "0", name), "item_name_invalid");
      await rejects(files.upload(ANNA, "0", name, stream("x")), "item_name_invalid");
      await rejects(view.create(ROOT, name, text("x")), "item_name_invalid");
    }
    expect(await namesIn(files)).toEqual(["a.docx"]);
    const { entries } = await storage.list(folder("tenants/acme/.quire"));
    for (const { ref } of entries) {
      await rejects(view.read(file(ref.id)), "forbidden");
      await rejects(files.resolve("acme", file(ref.id)), "not_found");
    }
  });
});
