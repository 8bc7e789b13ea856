import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { page } from "./page.ts";
import { picturesOf } from "./pictures.ts";
import type { Results } from "./results.ts";

/** Where results go. */
export interface Places {
  readonly results: URL;
  readonly page: URL;
  /** A folder beside the page, which the page refers to as `benchmarks/`. */
  readonly pictures: URL;
}

/** For a complete run: what is kept. */
export const KEPT: Places = {
  results: new URL("../results/benchmark.json", import.meta.url),
  page: new URL("../../docs/benchmarks.md", import.meta.url),
  pictures: new URL("../../docs/benchmarks/", import.meta.url),
};

/** For all others. */
export const PASSING: Places = {
  results: new URL("../../out/benchmarks/benchmark.json", import.meta.url),
  page: new URL("../../out/benchmarks/benchmarks.md", import.meta.url),
  pictures: new URL("../../out/benchmarks/benchmarks/", import.meta.url),
};

/** Writes the results as JSON, the page and its pictures. */
export async function writeReport(results: Results, places: Places): Promise<void> {
  await writeTo(places.results, `${JSON.stringify(results, rounded, 2)}\n`);
  const pictures = picturesOf(results);
  for (const { file, svg } of pictures) await writeTo(new URL(file, places.pictures), svg);
  await writeTo(places.page, page(results, pictures));
}

/** Results that were written before. */
export async function readResults(places: Places): Promise<Results> {
  const results: Results = JSON.parse(await readFile(places.results, "utf8"));
  return results;
}

async function writeTo(file: URL, content: string): Promise<void> {
  await mkdir(dirname(file.pathname), { recursive: true });
  await writeFile(file, content);
}

/** Five digits are more than any measurement here has. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(5))
    : value;
}
