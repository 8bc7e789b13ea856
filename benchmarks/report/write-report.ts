import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { JobsResults } from "../jobs/results.ts";
import type { PdfResults } from "../pdf/results.ts";
import type { QueueResults } from "../queue/results.ts";
import type { ServiceResults } from "../service/results.ts";
import type { StartResults } from "../start/results.ts";
import { page } from "./page.ts";
import { pdfPicturesOf, picturesOf } from "./pictures.ts";
import type { Report } from "./report.ts";
import type { Results } from "./results.ts";

/** The locations of the results and of the page. */
export interface Places {
  readonly results: URL;
  readonly pdf: URL;
  readonly jobs: URL;
  readonly queue: URL;
  readonly service: URL;
  readonly start: URL;
  readonly page: URL;
  /** A folder next to the page, to which the page refers as `benchmarks/`. */
  readonly pictures: URL;
}

/** The locations for complete runs. Their results are kept. */
export const KEPT: Places = {
  results: new URL("../results/benchmark.json", import.meta.url),
  pdf: new URL("../results/pdf.json", import.meta.url),
  jobs: new URL("../results/jobs.json", import.meta.url),
  queue: new URL("../results/queue.json", import.meta.url),
  service: new URL("../results/service.json", import.meta.url),
  start: new URL("../results/start.json", import.meta.url),
  page: new URL("../../docs/benchmarks.md", import.meta.url),
  pictures: new URL("../../docs/benchmarks/", import.meta.url),
};

/** The locations for other runs. */
export const PASSING: Places = {
  results: new URL("../../out/benchmarks/benchmark.json", import.meta.url),
  pdf: new URL("../../out/benchmarks/pdf.json", import.meta.url),
  jobs: new URL("../../out/benchmarks/jobs.json", import.meta.url),
  queue: new URL("../../out/benchmarks/queue.json", import.meta.url),
  service: new URL("../../out/benchmarks/service.json", import.meta.url),
  start: new URL("../../out/benchmarks/start.json", import.meta.url),
  page: new URL("../../out/benchmarks/benchmarks.md", import.meta.url),
  pictures: new URL("../../out/benchmarks/benchmarks/", import.meta.url),
};

/**
 * Writes the results as JSON. Then writes the page and its pictures from that JSON, so that writing them again gives
 * the same files.
 */
export async function writeReport(report: Report, places: Places): Promise<void> {
  const rendering = await writeJson(places.results, report.rendering);
  const pdf = await writeJson(places.pdf, report.pdf);
  const jobs = await writeJson(places.jobs, report.jobs);
  const queue = await writeJson(places.queue, report.queue);
  const service = await writeJson(places.service, report.service);
  const start = await writeJson(places.start, report.start);
  const pictures = [
    ...(rendering === null ? [] : picturesOf(rendering)),
    ...(pdf === null ? [] : pdfPicturesOf(pdf)),
  ];
  for (const { file, svg } of pictures) await writeTo(new URL(file, places.pictures), svg);
  await writeTo(places.page, page({ rendering, pdf, jobs, queue, service, start }, pictures));
}

/** Reads earlier results. */
export async function readResults(places: Places): Promise<Report> {
  return {
    rendering: await readJson<Results>(places.results),
    pdf: await readJson<PdfResults>(places.pdf),
    jobs: await readJson<JobsResults>(places.jobs),
    queue: await readJson<QueueResults>(places.queue),
    service: await readJson<ServiceResults>(places.service),
    start: await readJson<StartResults>(places.start),
  };
}

/** Returns the parsed content of a JSON file; null if the file does not exist. */
async function readJson<T>(file: URL): Promise<T | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const results: T = JSON.parse(text);
  return results;
}

/** Writes results unless they are null. Returns the results as written. */
async function writeJson<T>(file: URL, results: T | null): Promise<T | null> {
  if (results === null) return null;
  const json = JSON.stringify(results, rounded, 2);
  await writeTo(file, `${json}\n`);
  const written: T = JSON.parse(json);
  return written;
}

async function writeTo(file: URL, content: string): Promise<void> {
  await mkdir(dirname(file.pathname), { recursive: true });
  await writeFile(file, content);
}

/** Rounds to five digits, which is more precise than any measurement. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(5))
    : value;
}
