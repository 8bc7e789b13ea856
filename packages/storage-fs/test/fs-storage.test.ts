import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { fsStorage } from "../src/index.ts";
import { file, leftovers, makePlace, OUT, text } from "./support/place.ts";

describe("fsStorage: ids", () => {
  test("rejects ids that are not normalized paths below the root", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    await writeFile(join(place.root, "a"), "one");
    const ids = ["/a", "a/", "out//a", "./a", "out/../a", "out\\a", "\\a", "a\0", "a\ud800", "//"];
    for (const id of ids) {
      await expect(storage.read(file(id)), id).rejects.toMatchObject({ code: "forbidden" });
    }
  });

  test("accepts a name with dots that is not a relative segment", async () => {
    await using place = await makePlace();
    const { ref } = await fsStorage({ root: place.root }).create(OUT, "..a..b", text("one"));
    expect(await readFile(join(place.root, ref.id), "utf8")).toBe("one");
  });

  test("finds no file for a segment that is longer than any name", async () => {
    await using place = await makePlace();
    expect(await fsStorage({ root: place.root }).stat(file("x".repeat(5000)))).toBeNull();
  });

  test("quotes the id in messages, but no data", async () => {
    await using place = await makePlace();
    const read = fsStorage({ root: place.root }).read(file("out/gone.docx"));
    await expect(read).rejects.toThrow(/^There is no file "out\/gone\.docx" below .+\. .+\.$/);
  });
});

describe("fsStorage: symbolic links", () => {
  test("rejects every link that leads out of the root", async () => {
    await using place = await makePlace();
    await writeFile(join(place.base, "secret.docx"), "secret");
    await symlink("../secret.docx", join(place.root, "file.docx"));
    await symlink("..", join(place.root, "folder"));
    await mkdir(`${place.root}-beside`);
    await symlink("../root-beside", join(place.root, "beside"));
    const storage = fsStorage({ root: place.root });
    const ids = ["file.docx", "folder", "folder/secret.docx", "folder/no/such.docx", "beside"];
    for (const id of ids) {
      const forbidden = { code: "forbidden" };
      await expect(storage.read(file(id)), id).rejects.toMatchObject(forbidden);
      await expect(storage.stat(file(id)), id).rejects.toMatchObject(forbidden);
      await expect(storage.remove(file(id)), id).rejects.toMatchObject(forbidden);
      const folder = { type: "folder", id } as const;
      await expect(storage.list(folder), id).rejects.toMatchObject(forbidden);
      await expect(storage.create(folder, "a", text("")), id).rejects.toMatchObject(forbidden);
    }
    expect(await readdir(place.base)).toEqual(["root", "root-beside", "secret.docx"]);
    expect((await storage.list({ type: "folder", id: "." })).entries).toEqual([
      { ref: { type: "folder", id: "out" }, name: "out" },
    ]);
  });

  test("follows links within the root, and a root that is a link", async () => {
    await using place = await makePlace();
    await writeFile(join(place.root, "out", "a.docx"), "one");
    await symlink("out", join(place.root, "folder"));
    await symlink("out/a.docx", join(place.root, "file.docx"));
    const root = join(place.base, "link-to-root");
    await symlink("root", root);
    const storage = fsStorage({ root });
    expect(await storage.read(file("file.docx"))).toMatchObject({ name: "file.docx", size: 3 });
    expect((await storage.read(file("folder/a.docx"))).bytes).toEqual(text("one"));
    const folder = { type: "folder", id: "folder" } as const;
    expect((await storage.create(folder, "b.docx", text("two"))).ref.id).toBe("folder/b.docx");
    expect(await readFile(join(place.root, "out", "b.docx"), "utf8")).toBe("two");
    expect((await storage.list({ type: "folder", id: "." })).entries).toEqual([
      { ref: file("file.docx"), name: "file.docx" },
      { ref: folder, name: "folder" },
      { ref: OUT, name: "out" },
    ]);
  });
});

describe("fsStorage: symbolic links as entries", () => {
  test("removes the link and not its target", async () => {
    await using place = await makePlace();
    await writeFile(join(place.root, "out", "a.docx"), "one");
    await symlink("out/a.docx", join(place.root, "link.docx"));
    await fsStorage({ root: place.root }).remove(file("link.docx"));
    expect(await readdir(place.root)).toEqual(["out"]);
    expect(await readdir(join(place.root, "out"))).toEqual(["a.docx"]);
  });

  test("ignores broken and circular links, but treats their names as taken", async () => {
    await using place = await makePlace();
    await symlink("nowhere", join(place.root, "out", "dangling"));
    await symlink("circle", join(place.root, "out", "circle"));
    const storage = fsStorage({ root: place.root });
    for (const name of ["dangling", "circle"]) {
      expect(await storage.stat(file(`out/${name}`))).toBeNull();
      const created = storage.create(OUT, name, text("one"));
      await expect(created).rejects.toMatchObject({ code: "conflict" });
    }
    expect((await storage.list(OUT)).entries).toEqual([]);
  });
});

describe("fsStorage: visible entries", () => {
  test("ignores a FIFO and does not wait for its writer", async () => {
    await using place = await makePlace();
    execFileSync("mkfifo", [join(place.root, "out", "fifo")]);
    await symlink("fifo", join(place.root, "out", "link"));
    const storage = fsStorage({ root: place.root });
    for (const id of ["out/fifo", "out/link"]) {
      await expect(storage.read(file(id))).rejects.toMatchObject({ code: "not_found" });
      expect(await storage.stat(file(id))).toBeNull();
      await storage.remove(file(id));
    }
    expect((await storage.list(OUT)).entries).toEqual([]);
    expect(await readdir(join(place.root, "out"))).toEqual(["fifo", "link"]);
  }, 5_000);

  test("hides unfinished files from listings and from ids", async () => {
    await using place = await makePlace();
    await writeFile(join(place.root, "out", ".quire-tmp-1"), "half");
    const storage = fsStorage({ root: place.root });
    expect((await storage.list(OUT)).entries).toEqual([]);
    const read = storage.read(file("out/.quire-tmp-1"));
    await expect(read).rejects.toMatchObject({ code: "forbidden" });
    const created = storage.create(OUT, ".Quire-Tmp-2", text("one"));
    await expect(created).rejects.toMatchObject({ code: "item_name_invalid" });
  });

  test("hides names that ids cannot contain", async () => {
    await using place = await makePlace();
    const folder = Buffer.from(`${join(place.root, "out")}/`);
    await writeFile(Buffer.concat([folder, Buffer.from([0xff, 0xfe])]), "not UTF-8");
    await writeFile(Buffer.concat([folder, Buffer.from("a\\b")]), "backslash");
    expect((await fsStorage({ root: place.root }).list(OUT)).entries).toEqual([]);
  });
});

describe("fsStorage: listing", () => {
  test("sorts by code units, in any order of creation", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    for (const name of ["b", "ﬂ", "📄", "ä", "10", "a", "Z", "9"]) {
      await storage.create(OUT, name, text(""));
    }
    const { entries } = await storage.list(OUT);
    expect(entries.map(({ name }) => name)).toEqual(["10", "9", "Z", "a", "b", "ä", "📄", "ﬂ"]);
  });

  test("continues a listing after files were created and removed", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    for (const name of ["b", "d", "f"]) await storage.create(OUT, name, text(""));
    const { nextMarker } = await storage.list(OUT, { limit: 2 });
    await storage.remove(file("out/d"));
    await storage.create(OUT, "a", text(""));
    await storage.create(OUT, "e", text(""));
    const rest = await storage.list(OUT, { marker: nextMarker ?? "" });
    expect(rest.entries.map(({ name }) => name)).toEqual(["e", "f"]);
  });

  test("rejects invalid markers and limits", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    for (const page of [{ marker: "!" }, { limit: 0 }, { limit: Number.NaN }]) {
      const listed = storage.list(OUT, page);
      await expect(listed).rejects.toMatchObject({ code: "invalid_request" });
    }
  });
});

describe("fsStorage: reading and creating", () => {
  test("reads changes of other programs, with consistent size, hash and bytes", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    const { ref, version } = await storage.create(OUT, "a.docx", text("one two"));
    await truncate(join(place.root, "out", "a.docx"), 3);
    expect(await storage.read(ref)).toMatchObject({ size: 3, bytes: text("one") });
    await expect(storage.read(ref, { version })).rejects.toMatchObject({ code: "not_found" });
  });

  test("returns bytes that do not share memory", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    const { ref } = await storage.create(OUT, "a.docx", text("one"));
    const { bytes } = await storage.read(ref);
    expect(bytes.buffer.byteLength).toBe(3);
    expect(Buffer.isBuffer(bytes)).toBe(false);
  });

  test("creates files with the permissions that the umask allows", async () => {
    await using place = await makePlace();
    await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
    const { mode, nlink } = await stat(join(place.root, "out", "a.docx"));
    expect(mode & 0o777).toBe(0o666 & ~process.umask());
    expect(nlink).toBe(1);
  });

  test("leaves no temporary files after concurrent writes", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    const names = Array.from({ length: 40 }, (_, index) => `${index % 4}.docx`);
    const tries = names.map((name) => storage.create(OUT, name, text(name)));
    const won = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
    expect(won).toHaveLength(4);
    expect(await leftovers(join(place.root, "out"))).toEqual([]);
  });

  test("rejects a file with the name of a folder", async () => {
    await using place = await makePlace();
    const created = fsStorage({ root: place.root }).create(
      { type: "folder", id: "." },
      "out",
      text("one"),
    );
    await expect(created).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("fsStorage: its root", () => {
  test("must exist and be a folder when it is used", async () => {
    await using place = await makePlace();
    await writeFile(join(place.base, "file"), "one");
    for (const [name, why] of [
      ["missing", "does not exist"],
      ["file", "is not a folder"],
    ] as const) {
      const stat = fsStorage({ root: join(place.base, name) }).stat(file("a.docx"));
      await expect(stat).rejects.toMatchObject({ code: "not_found" });
      await expect(stat).rejects.toThrow(why);
    }
  });

  test("may be relative to the working directory", async () => {
    await using place = await makePlace();
    await writeFile(join(place.root, "a.docx"), "one");
    const storage = fsStorage({ root: relative(process.cwd(), place.root) });
    expect(await storage.stat(file("a.docx"))).toMatchObject({ size: 3 });
  });
});

test.each([
  [{ rot: "a" }, /no option "rot" \(did you mean "root"\?\)/],
  [{}, /fsStorage\(\{ root: /],
  [{ root: "" }, /fsStorage\(\{ root: /],
  [undefined, /fsStorage\(\{ root: /],
])("fsStorage rejects the options %j", (options, words) => {
  expect(() => fsStorage(options as never)).toThrow(words);
});
