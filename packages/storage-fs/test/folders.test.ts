import { execFileSync } from "node:child_process";
import { type FileHandle, mkdir, open, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fsStorage } from "../src/index.ts";
import { temporaryName } from "../src/temporary-files.ts";
import { makePlace, OUT, text } from "./support/place.ts";

const BUILT = fileURLToPath(new URL("../dist/temporary-files.js", import.meta.url));
const ROOT = { type: "folder", id: "." } as const;
const MADE = { type: "folder", id: "out/made" } as const;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("fsStorage: making folders", () => {
  test("syncs the parent folder even of an existing folder, whose creator may have died", async () => {
    await using place = await makePlace();
    const seen: string[][] = [];
    const handles = await fileHandlePrototype();
    const { sync } = handles;
    vi.spyOn(handles, "sync").mockImplementation(async function (this: FileHandle) {
      seen.push(await readdir(join(place.root, "out")));
      await sync.call(this);
    });
    const storage = fsStorage({ root: place.root });
    await storage.createFolder(OUT, "made");
    await storage.createFolder(OUT, "made");
    expect(seen).toEqual([["made"], ["made"]]);
  });

  test("rejects when the parent folder cannot be synced", async () => {
    await using place = await makePlace();
    const error = Object.assign(new Error("EIO: made by the test"), { code: "EIO" });
    vi.spyOn(await fileHandlePrototype(), "sync").mockRejectedValueOnce(error);
    const storage = fsStorage({ root: place.root });
    const made = storage.createFolder(OUT, "made");
    await expect(made).rejects.toMatchObject({ code: "storage_failed", cause: error });
    await expect(made).rejects.toThrow(/^The folder "made" cannot be created in the folder "out"/);
    expect(await storage.createFolder(OUT, "made")).toEqual(MADE);
  });

  test("rejects names of unfinished files", async () => {
    await using place = await makePlace();
    const made = fsStorage({ root: place.root }).createFolder(OUT, ".Quire-Tmp-1");
    await expect(made).rejects.toMatchObject({ code: "item_name_invalid" });
    expect(await readdir(join(place.root, "out"))).toEqual([]);
  });

  test("rejects a folder with a path that is too long for the system, and a file in it", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    const name = "x".repeat(200);
    let folder = await storage.createFolder(OUT, name);
    const deeper = async () => {
      for (;;) folder = await storage.createFolder(folder, name);
    };
    await expect(deeper()).rejects.toMatchObject({ code: "item_name_invalid" });
    await expect(deeper()).rejects.toThrow(/longer than the file system allows/);
    const file = storage.create(folder, `${name}.docx`, new Uint8Array(1));
    await expect(file).rejects.toMatchObject({ code: "item_name_invalid" });
  });

  test("creates folders in the root", async () => {
    await using place = await makePlace();
    const made = await fsStorage({ root: place.root }).createFolder(ROOT, "made");
    expect(made).toEqual({ type: "folder", id: "made" });
    expect(await readdir(place.root)).toEqual(["made", "out"]);
  });
});

describe("fsStorage: folders and symbolic links", () => {
  test("treats a link to a folder as that folder, and a broken link as a taken name", async () => {
    await using place = await makePlace();
    await mkdir(join(place.root, "out", "made"));
    await symlink("out/made", join(place.root, "link"));
    await symlink("nowhere", join(place.root, "dangling"));
    const storage = fsStorage({ root: place.root });
    const link = await storage.createFolder(ROOT, "link");
    expect(link).toEqual({ type: "folder", id: "link" });
    await storage.create(link, "a.docx", text("one"));
    expect(await readdir(join(place.root, "out", "made"))).toEqual(["a.docx"]);
    const made = storage.createFolder(ROOT, "dangling");
    await expect(made).rejects.toMatchObject({ code: "conflict" });
  });

  test("creates and removes nothing through a link that leads out of the root", async () => {
    await using place = await makePlace();
    await mkdir(join(place.base, "empty"));
    await symlink("..", join(place.root, "up"));
    await symlink("../empty", join(place.root, "empty"));
    const storage = fsStorage({ root: place.root });
    const forbidden = { code: "forbidden" };
    const up = { type: "folder", id: "up" } as const;
    await expect(storage.createFolder(up, "made")).rejects.toMatchObject(forbidden);
    await expect(storage.createFolder(ROOT, "empty")).rejects.toMatchObject(forbidden);
    for (const id of ["up", "up/empty", "up/no/such", "empty"]) {
      const removed = storage.removeFolder({ type: "folder", id });
      await expect(removed, id).rejects.toMatchObject(forbidden);
    }
    expect((await readdir(place.base)).sort()).toEqual(["empty", "root"]);
    expect((await readdir(place.root)).sort()).toEqual(["empty", "out", "up"]);
  });

  test("removes a link to a folder, not the folder, and only when the folder is empty", async () => {
    await using place = await makePlace();
    await symlink("out", join(place.root, "link"));
    const storage = fsStorage({ root: place.root });
    const link = { type: "folder", id: "link" } as const;
    const { ref } = await storage.create(OUT, "a.docx", text("one"));
    await expect(storage.removeFolder(link)).rejects.toMatchObject({ code: "conflict" });
    await storage.remove(ref);
    await storage.removeFolder(link);
    expect(await readdir(place.root)).toEqual(["out"]);
  });
});

describe("fsStorage: removing folders", () => {
  test("ignores temporary files of a killed process, but not files that are being written", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    await storage.createFolder(OUT, "made");
    const path = join(place.root, "out", "made");
    await writeFile(join(path, nameOfDeadProcess()), "half");
    await writeFile(join(path, temporaryName()), "half");
    const removed = storage.removeFolder(MADE);
    await expect(removed).rejects.toMatchObject({ code: "conflict" });
    await expect(removed).rejects.toThrow(/"out\/made" cannot be removed: it is not empty\. .+\.$/);
    const [left, ...others] = await readdir(path);
    expect(others).toEqual([]);
    execFileSync("mv", [join(path, left ?? ""), join(path, nameOfDeadProcess())]);
    await storage.removeFolder(MADE);
    expect(await readdir(join(place.root, "out"))).toEqual([]);
  });

  test("rejects folders with entries that listings hide", async () => {
    await using place = await makePlace();
    execFileSync("mkfifo", [join(place.root, "out", "fifo")]);
    const storage = fsStorage({ root: place.root });
    expect((await storage.list(OUT)).entries).toEqual([]);
    await expect(storage.removeFolder(OUT)).rejects.toMatchObject({ code: "conflict" });
  });

  test("rejects the root, empty or not", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    await storage.removeFolder(OUT);
    await expect(storage.removeFolder(ROOT)).rejects.toMatchObject({ code: "forbidden" });
    expect(await readdir(place.base)).toEqual(["root"]);
  });

  test("concurrently with its creation always ends in one of the two states", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    for (let round = 0; round < 50; round += 1) {
      const made = storage.createFolder(OUT, "made");
      await Promise.all([made, storage.removeFolder(MADE), storage.createFolder(OUT, "made")]);
      expect(await made).toEqual(MADE);
    }
  });
});

/** Returns the name of a temporary file of another process that has already ended. */
function nameOfDeadProcess(): string {
  const program = `import { temporaryName } from ${JSON.stringify(BUILT)}; process.stdout.write(temporaryName());`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
}

async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(BUILT, "r");
  await handle.close();
  return Object.getPrototypeOf(handle);
}
