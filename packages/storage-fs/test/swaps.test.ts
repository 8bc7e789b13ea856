import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { isQuireError } from "@quire/contracts";
import { expect, test } from "vitest";
import { FolderHolder } from "../src/held-folder.ts";
import { fsStorage } from "../src/index.ts";
import { file, makePlace, OUT, type Place, text } from "./support/place.ts";

const SWAP = new URL("./support/swap.ts", import.meta.url);
const ROUNDS = 300;

/** Runs the body while a folder of the root is repeatedly replaced by a link to a folder outside. */
async function whileSwapped(place: Place, body: () => Promise<void>): Promise<void> {
  await mkdir(join(place.base, "outside"));
  await writeFile(join(place.base, "outside", "secret.docx"), "secret");
  await writeFile(join(place.root, "out", "secret.docx"), "public");
  await symlink("../outside", join(place.root, "link"));
  const stop = join(place.base, "stop");
  const workerData = { folder: join(place.root, "out"), link: join(place.root, "link"), stop };
  const worker = new Worker(SWAP, { workerData });
  const ended = new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
  try {
    await body();
  } finally {
    await writeFile(stop, "");
    await ended;
  }
}

/** Returns the result; null if the folder was missing or led out of the root at that moment. */
async function tried<T>(doing: Promise<T>): Promise<T | null> {
  return doing.catch((error: unknown) => {
    if (isQuireError(error) && ["not_found", "forbidden", "conflict"].includes(error.code))
      return null;
    throw error;
  });
}

test("nothing outside is read, made or removed while a folder becomes a link and a folder again", async () => {
  await using place = await makePlace();
  const storage = fsStorage({ root: place.root });
  const read = new Set<string>();
  await whileSwapped(place, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [found] = await Promise.all([
        tried(storage.read(file("out/secret.docx"))),
        tried(storage.create(OUT, `${round}.docx`, text("one"))),
        tried(storage.createFolder(OUT, `folder ${round}`)),
        tried(storage.find(OUT, "secret.docx")),
        tried(storage.list(OUT)),
      ]);
      if (found !== null) read.add(Buffer.from(found.bytes).toString());
      await tried(storage.remove(file(`out/${round}.docx`)));
      await tried(storage.remove(file("out/other.docx")));
    }
  });
  expect([...read]).toEqual(["public"]);
  expect(await readdir(join(place.base, "outside"))).toEqual(["secret.docx"]);
}, 60_000);

test.each([true, false])(
  "a held folder that is replaced by a link is still used, or the swap is detected (pinned: %s)",
  async (pins) => {
    await using place = await makePlace();
    const holder = new FolderHolder(place.root, pins);
    const held = await holder.folder("out");
    if (held === null) throw new Error("The folder is missing.");
    await mkdir(join(place.base, "outside"));
    await rename(join(place.root, "out"), join(place.root, "moved"));
    await symlink("../outside", join(place.root, "out"));
    if (pins) {
      await held.verify();
      await writeFile(join(held.path, "a.docx"), "one");
      expect(await readdir(join(place.root, "moved"))).toEqual(["a.docx"]);
    } else {
      await expect(held.verify()).rejects.toMatchObject({ code: "forbidden" });
    }
    await held.release();
    await expect(holder.folder("out")).rejects.toMatchObject({ code: "forbidden" });
    expect(await readdir(join(place.base, "outside"))).toEqual([]);
  },
);
