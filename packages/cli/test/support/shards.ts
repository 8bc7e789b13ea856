/** Runs that are divided into shards. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { makePlace, type Place, until } from "./cli.ts";
import { docx } from "./docx.ts";
import { letterRun } from "./letters.ts";

/** Names that clash in several ways, one of them invalid. */
export const CLASHING = [
  "a",
  "A",
  "b",
  "a (1)",
  "\u00e9",
  "e\u0301",
  "x/y",
  "a",
  "c",
  "A (1).docx",
  "b",
];

/** Creates a test folder with a letter and an entry for each name, which a run reads from the key `file`. */
export async function namedPlace(names: readonly string[]): Promise<Place> {
  const place = await makePlace();
  await writeNamed(place, names);
  return place;
}

/** Writes a letter, and data with an entry for each name. */
export async function writeNamed(place: Place, names: readonly string[]): Promise<void> {
  await place.write("letter.docx", docx(["Dear {{name}}"]));
  const lines = names.map(
    (file, index) => `${JSON.stringify({ name: `Ann ${index + 1}`, file })}\n`,
  );
  await place.write("data.jsonl", lines.join(""));
}

/** Returns the arguments of a run, or of one of its shards, into `out`. */
export function namedRun(out: string, ...more: string[]): string[] {
  const named = ["--out", out, "--name", "{{file}}", "--concurrency", "4", ...more];
  return letterRun("docx").slice(0, -2).concat(named);
}

/** Returns the hash of each file in a folder, by its name. */
export async function filesIn(place: Place, folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of await place.names(folder)) {
    const bytes = await readFile(place.path(folder, name));
    files[name] = createHash("sha256").update(bytes).digest("hex");
  }
  return files;
}

/** Starts a command in a process, and kills it when a folder has this number of files. */
export async function kill(
  place: Place,
  args: readonly string[],
  { folder, files }: { readonly folder: string; readonly files: number },
): Promise<void> {
  const { process: child, ended } = place.start(args);
  let hasEnded = false;
  child.once("exit", () => {
    hasEnded = true;
  });
  const isReady = async () => hasEnded || (await place.names(folder)).length >= files;
  await until(`${folder} has ${files} files`, isReady, 60);
  child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
}
