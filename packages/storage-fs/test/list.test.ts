import { Dir } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fsStorage } from "../src/index.ts";
import { makePlace, OUT, type Place } from "./support/place.ts";

/** Writes files, then waits long enough that a later change gives the folder a different modification time. */
async function fill(place: Place, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    await writeFile(join(place.root, "out", `${String(number).padStart(3, "0")}.docx`), "");
  }
  await new Promise((resolve) => setTimeout(resolve, 80));
}

/** Counts how often folders are read. */
function reads(): { readonly count: number } {
  const spy = vi.spyOn(Dir.prototype, Symbol.asyncIterator);
  onTestFinished(() => spy.mockRestore());
  return {
    get count() {
      return spy.mock.calls.length;
    },
  };
}

test("the pages of an unchanged folder need one read of the folder", async () => {
  await using place = await makePlace();
  await fill(place, 25);
  const storage = fsStorage({ root: place.root });
  const read = reads();
  const names: string[] = [];
  let marker: string | undefined;
  do {
    const page = await storage.list(OUT, { limit: 2, ...(marker && { marker }) });
    names.push(...page.entries.map(({ name }) => name));
    marker = page.nextMarker ?? undefined;
  } while (marker !== undefined);
  expect(names).toHaveLength(25);
  expect(new Set(names).size).toBe(25);
  expect(read.count).toBe(1);
  await storage.list(OUT);
  expect(read.count).toBe(2);
});

test("a page shows changes since the previous page", async () => {
  await using place = await makePlace();
  await fill(place, 6);
  const storage = fsStorage({ root: place.root });
  const first = await storage.list(OUT, { limit: 2 });
  await rm(join(place.root, "out", "003.docx"));
  await writeFile(join(place.root, "out", "004 b.docx"), "");
  const second = await storage.list(OUT, { limit: 9, marker: first.nextMarker ?? "" });
  const names = second.entries.map(({ name }) => name);
  expect(names).toEqual(["002.docx", "004 b.docx", "004.docx", "005.docx"]);
});

test("a folder that changed just before it was read is read again for the next page", async () => {
  await using place = await makePlace();
  await fill(place, 4);
  const { mtimeMs } = await stat(join(place.root, "out"));
  // A later change may have the same time, because the time of a folder changes only every few milliseconds.
  const clock = vi.spyOn(Date, "now").mockReturnValue(Math.ceil(mtimeMs) + 5);
  onTestFinished(() => clock.mockRestore());
  const storage = fsStorage({ root: place.root });
  const read = reads();
  const { nextMarker } = await storage.list(OUT, { limit: 2 });
  await storage.list(OUT, { limit: 2, marker: nextMarker ?? "" });
  expect(read.count).toBe(2);
});
