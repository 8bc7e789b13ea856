/** Runs of one letter to many people. */
import { open } from "node:fs/promises";
import { expect } from "vitest";
import { makePlace, type Place } from "./cli.ts";
import { docx } from "./docx.ts";

/** Creates a test folder with a letter and data for this number of people. */
export async function letterPlace(entries: number): Promise<Place> {
  const place = await makePlace();
  await place.write("letter.docx", docx(["Dear {{name}}"]));
  const lines = Array.from({ length: entries }, (_, index) => `{"name":"Ann ${index + 1}"}\n`);
  await place.write("data.jsonl", lines.join(""));
  return place;
}

/** Returns the arguments of a run in a folder from {@link letterPlace}. */
export function letterRun(to: string, ...more: string[]): string[] {
  return ["run", "letter.docx", "--data", "data.jsonl", "--to", to, "--out", "out", ...more];
}

/** The size of a run's data, and the heap limit of its process. */
interface Load {
  readonly entries: number;
  readonly entryBytes: number;
  readonly heapMb: number;
}

/** Expects that a run needs at most this much heap for its data. */
export async function expectHeapEnough({ entries, entryBytes, heapMb }: Load): Promise<void> {
  const place = await letterPlace(0);
  await writeLargeEntries(place.path("data.jsonl"), entries, entryBytes);
  const nodeArgs = [`--max-old-space-size=${heapMb}`];
  const args = letterRun("docx", "--concurrency", "2");
  const { code, signal, stderr } = await place.start(args, { nodeArgs }).ended;
  expect(stderr).not.toContain("heap out of memory");
  expect([code, signal]).toEqual([0, null]);
  expect(await place.names()).toHaveLength(entries);
}

async function writeLargeEntries(path: string, count: number, bytes: number): Promise<void> {
  await using file = await open(path, "w");
  for (let entry = 1; entry <= count; entry++) {
    await file.write(`{"name":"Ann ${entry}","more":"${String(entry).padEnd(bytes, "x")}"}\n`);
  }
}
