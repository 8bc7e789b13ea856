import { execFile, spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import fs, { chmod, type FileHandle, open, readdir, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fsStorage } from "../src/index.ts";
import { crashBytes } from "./support/crash-bytes.ts";
import { file, leftovers, makePlace, OUT, text } from "./support/place.ts";

const CHILD = fileURLToPath(new URL("./support/child.ts", import.meta.url));

/** Makes `link` fail, for every module of this process, until the test ends. */
function refuseLinks(code: string): void {
  vi.spyOn(fs, "link").mockRejectedValue(systemError(code, "link"));
  syncBuiltinESMExports();
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe("fsStorage: long files", () => {
  const long = Buffer.alloc(2_500_000, "A long template. ");

  test("reads them completely, with their hash", async () => {
    await using place = await makePlace();
    await writeFile(join(place.root, "long.docx"), long);
    const { bytes, sha256, size } = await fsStorage({ root: place.root }).read(file("long.docx"));
    expect(long.equals(bytes)).toBe(true);
    expect([sha256, size]).toEqual([hash("sha256", long), long.length]);
  });

  test.for([
    ["a long file", 1_100_000],
    ["a short file", 5],
  ] as const)("reads data that is appended to %s during the read", async ([, size]) => {
    await using place = await makePlace();
    const path = join(place.root, "long.docx");
    await writeFile(path, long.subarray(0, size));
    const { read } = await fileHandlePrototype();
    vi.spyOn(await fileHandlePrototype(), "read").mockImplementationOnce(async function (
      this: FileHandle,
      ...args: unknown[]
    ) {
      await writeFile(path, long);
      return Reflect.apply(read, this, args);
    } as typeof read);
    const { bytes, sha256 } = await fsStorage({ root: place.root }).read(file("long.docx"));
    expect(long.equals(bytes)).toBe(true);
    expect(sha256).toBe(hash("sha256", long));
  });
});

describe("fsStorage: syncing", () => {
  test("syncs the file before it becomes visible, and its folder afterwards", async () => {
    await using place = await makePlace();
    const sync = vi.spyOn(await fileHandlePrototype(), "sync");
    const seen: string[][] = [];
    sync.mockImplementation(async () => {
      seen.push(await readdir(join(place.root, "out")));
    });
    await fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
    expect(seen).toEqual([[expect.stringMatching(/^\.quire-tmp-/)], ["a.docx"]]);
  });

  test.for([1, 2])("creates nothing when sync number %i fails", async (failing) => {
    await using place = await makePlace();
    let calls = 0;
    vi.spyOn(await fileHandlePrototype(), "sync").mockImplementation(async () => {
      calls += 1;
      if (calls === failing) throw systemError("EIO", "fsync");
    });
    const created = fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
    await expect(created).rejects.toMatchObject({ code: "storage_failed", cause: { code: "EIO" } });
    await expect(created).rejects.toThrow(/"a\.docx".+"out".+\(EIO\)\. .+\.$/);
    expect(await readdir(join(place.root, "out"))).toEqual([]);
  });

  test("syncs the folder of a file that it finds, whose creator may have died", async () => {
    await using place = await makePlace();
    await writeFile(join(place.root, "out", "a.docx"), "one");
    const sync = vi.spyOn(await fileHandlePrototype(), "sync");
    expect(await fsStorage({ root: place.root }).find(OUT, "b.docx")).toBeNull();
    expect(sync).not.toHaveBeenCalled();
    expect(await fsStorage({ root: place.root }).find(OUT, "a.docx")).toMatchObject({ size: 3 });
    expect(sync).toHaveBeenCalledTimes(1);
  });

  test("creates nothing when aborted during the sync", async () => {
    await using place = await makePlace();
    const abort = new AbortController();
    const { signal } = abort;
    const cause = new Error("enough");
    const sync = vi.spyOn(await fileHandlePrototype(), "sync");
    sync.mockImplementation(async () => abort.abort(cause));
    const created = fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"), { signal });
    await expect(created).rejects.toMatchObject({ code: "aborted", cause });
    expect(await readdir(join(place.root, "out"))).toEqual([]);
  });
});

describe("fsStorage: a medium that fails", () => {
  test("reports a file system without hard links, and creates nothing", async () => {
    await using place = await makePlace();
    for (const code of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
      refuseLinks(code);
      const created = fsStorage({ root: place.root }).create(OUT, "a.docx", text("one"));
      await expect(created).rejects.toMatchObject({ code: "storage_failed", cause: { code } });
      await expect(created).rejects.toThrow(/the folder "out" has no hard links.+ext4/);
    }
    expect(await readdir(join(place.root, "out"))).toEqual([]);
  });

  test.for(["one", "one-stream", "endless-stream"])(
    "creates nothing when there is no space for the whole file (%s)",
    async (what) => {
      await using place = await makePlace();
      // Limits files to 64 blocks: the write fails midway, as on a full disk.
      const command = `ulimit -f 64; exec "${process.execPath}" "${CHILD}" ${what} "${place.root}"`;
      const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command]);
      expect(JSON.parse(stdout)).toEqual({
        code: "storage_failed",
        message: expect.stringMatching(/^The file "a\.docx" cannot be created.+\(EFBIG\)\. .+\.$/),
      });
      expect(await readdir(join(place.root, "out"))).toEqual([]);
    },
  );

  test("reports a folder that is not writable", async () => {
    await using place = await makePlace();
    for (const folder of [place.base, place.root]) await chmod(folder, 0o755);
    await chmod(join(place.root, "out"), 0o555);
    const { stdout } = await promisify(execFile)(process.execPath, [
      CHILD,
      "as-nobody",
      place.root,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      code: "storage_failed",
      message: expect.stringMatching(/the folder "out" is not writable.+\(EACCES\)\. Give .+\.$/),
    });
    expect(await readdir(join(place.root, "out"))).toEqual([]);
  });
});

describe("fsStorage: a process that is killed", () => {
  test("leaves only complete files under final names, and every file it reported", async () => {
    await using place = await makePlace();
    for (const delayMs of [0, 7, 19]) {
      const reported = await killedAfter(place.root, delayMs);
      const storage = fsStorage({ root: place.root });
      const { entries } = await storage.list(OUT);
      const names = entries.map(({ name }) => name);
      for (const index of reported) expect(names).toContain(`${index}.docx`);
      for (const { ref, name } of entries) {
        const { bytes } = await storage.read(file(ref.id));
        expect(Buffer.compare(bytes, crashBytes(Number.parseInt(name, 10))), name).toBe(0);
        await storage.remove(file(ref.id));
      }
    }
    expect(await readdir(join(place.root, "out"))).toEqual(
      await leftovers(join(place.root, "out")),
    );
  }, 30_000);
});

/** Lets a child process create files, kills it `delayMs` after its first report, and returns its reports. */
async function killedAfter(root: string, delayMs: number): Promise<number[]> {
  const child = spawn(process.execPath, [CHILD, "for-ever", root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (output === "") setTimeout(() => child.kill("SIGKILL"), delayMs);
    output += chunk.toString();
  });
  const [, signal] = await once(child, "close");
  expect(signal).toBe("SIGKILL");
  return output.split("\n").slice(0, -1).map(Number);
}

async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(CHILD, "r");
  await handle.close();
  return Object.getPrototypeOf(handle);
}

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: made by the test, ${syscall}`), { code, syscall });
}
