import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fsStorage } from "../src/index.ts";
import { leftovers, makePlace, OUT, type Place, text } from "./support/place.ts";

const CHILD = fileURLToPath(new URL("./support/child.ts", import.meta.url));
const CHUNK = new Uint8Array(300_000).fill(7);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("fsStorage: a file from a stream", () => {
  test("of 300 MB needs memory for only a part of it", async () => {
    await using place = await makePlace();
    const run = await promisify(execFile)(process.execPath, [CHILD, "large-stream", place.root]);
    const { size, grownMb } = JSON.parse(run.stdout);
    expect(size).toBe(300 * 1024 * 1024);
    expect((await stat(join(place.root, "out", "a.docx"))).size).toBe(size);
    expect(grownMb).toBeLessThan(150);
  }, 60_000);

  test("is written as it arrives, and read no further than it is written", async () => {
    await using place = await makePlace();
    const written: number[] = [];
    const stream = async function* () {
      for (let turn = 0; turn < 5; turn += 1) {
        yield CHUNK;
        written.push(await unfinishedBytes(place));
      }
    };
    await fsStorage({ root: place.root }).create(OUT, "a.docx", stream());
    const given = written.map((_, index) => (index + 1) * CHUNK.length);
    for (const [index, bytes] of written.entries()) {
      expect((given[index] ?? 0) - bytes).toBeLessThan(256 * 1024);
    }
  });

  test("is synced before it becomes visible, and its folder afterwards", async () => {
    await using place = await makePlace();
    const sync = vi.spyOn(await fileHandlePrototype(), "sync");
    const seen: string[][] = [];
    sync.mockImplementation(async () => {
      seen.push(await readdir(join(place.root, "out")));
    });
    await fsStorage({ root: place.root }).create(OUT, "a.docx", chunks(3));
    expect(seen).toEqual([[expect.stringMatching(/^\.quire-tmp-/)], ["a.docx"]]);
  });

  test("can come from a Node stream", async () => {
    await using place = await makePlace();
    const source = join(place.base, "source.docx");
    await writeFile(source, CHUNK);
    const info = await fsStorage({ root: place.root }).create(
      OUT,
      "a.docx",
      createReadStream(source),
    );
    expect((await fsStorage({ root: place.root }).read(info.ref)).bytes).toEqual(CHUNK);
  });

  test("leaves nothing when the stream throws or is aborted, at the start or midway", async () => {
    await using place = await makePlace();
    const storage = fsStorage({ root: place.root });
    const abort = new AbortController();
    for (const count of [0, 1, 10]) {
      const error = new Error("broken");
      const created = storage.create(
        OUT,
        "a.docx",
        chunks(count, () => Promise.reject(error)),
      );
      await expect(created).rejects.toBe(error);
    }
    const stopped = chunks(10, () => abort.abort());
    const created = storage.create(OUT, "a.docx", stopped, { signal: abort.signal });
    await expect(created).rejects.toMatchObject({ code: "aborted" });
    expect(await readdir(join(place.root, "out"))).toEqual([]);
  });

  test("keeps its temporary file, safe from other storages, while the stream pauses", async () => {
    await using place = await makePlace();
    const released = Promise.withResolvers<void>();
    const created = fsStorage({ root: place.root }).create(
      OUT,
      "a.docx",
      chunks(2, () => released.promise),
    );
    await vi.waitUntil(() => unfinishedBytes(place));
    await fsStorage({ root: place.root }).create(OUT, "b.docx", text("one"));
    released.resolve();
    expect(await created).toMatchObject({ size: 2 * CHUNK.length });
  });
});

describe("fsStorage: a process that is killed during a stream", () => {
  test("leaves no file under the final name, and its temporary file is removed with the next write", async () => {
    await using place = await makePlace();
    const child = spawn(process.execPath, [CHILD, "endless-stream", place.root]);
    const ended = once(child, "close");
    while ((await unfinishedBytes(place)) < 5_000_000) await sleep(5);
    child.kill("SIGKILL");
    expect((await ended)[1]).toBe("SIGKILL");
    const out = join(place.root, "out");
    expect(await readdir(out)).toEqual(await leftovers(out));
    const storage = fsStorage({ root: place.root });
    expect((await storage.list(OUT)).entries).toEqual([]);
    await storage.create(OUT, "a.docx", chunks(1));
    expect(await readdir(out)).toEqual(["a.docx"]);
  }, 30_000);
});

/** Yields `count` chunks, then calls `after`. */
async function* chunks(
  count: number,
  after: () => Promise<void> | void = () => {},
): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield CHUNK;
  await after();
}

/** Returns the size of the unfinished file, or 0. */
async function unfinishedBytes(place: Place): Promise<number> {
  const out = join(place.root, "out");
  const [name] = await leftovers(out);
  return name === undefined ? 0 : (await stat(join(out, name))).size;
}

async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(CHILD, "r");
  await handle.close();
  return Object.getPrototypeOf(handle);
}
