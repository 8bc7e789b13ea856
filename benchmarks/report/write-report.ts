import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { JobsResults } from "../jobs/results.ts";
import type { PdfResults } from "../pdf/results.ts";
import type { ServiceResults } from "../service/results.ts";
import { page } from "./page.ts";
import { pdfPicturesOf, picturesOf } from "./pictures.ts";
import type { Report } from "./report.ts";
import type { Results } from "./results.ts";

/** Where results go. */
export interface Places {
  readonly results: URL;
  readonly pdf: URL;
  readonly jobs: URL;
  readonly service: URL;
  readonly page: URL;
  /** A folder beside the page, which the page refers to as `benchmarks/`. */
  readonly pictures: URL;
}

/** For a complete run: what is kept. */
export const KEPT: Places = {
  results: new URL("../results/benchmark.json", import.meta.url),
  pdf: new URL("../results/pdf.json", import.meta.url),
  jobs: new URL("../results/jobs.json", import.meta.url),
  service: new URL("../results/service.json", import.meta.url),
  page: new URL("../../docs/benchmarks.md", import.meta.url),
  pictures: new URL("../../docs/benchmarks/", import.meta.url),
};

/** For all others. */
export const PASSING: Places = {
  results: new URL("../../out/benchmarks/benchmark.json", import.meta.url),
  pdf: new URL("../../out/benchmarks/pdf.json", import.meta.url),
  jobs: new URL("../../out/benchmarks/jobs.json", import.meta.url),
  service: new URL("../../out/benchmarks/service.json", import.meta.url),
  page: new URL("../../out/benchmarks/benchmarks.md", import.meta.url),
  pictures: new URL("../../out/benchmarks/benchmarks/", import.meta.url),
};

/**
 * Writes the results as JSON, and the page and its pictures from that, so that they are the same when they are
 * written again.
 */
export async function writeReport(report: Report, places: Places): Promise<void> {
  const rendering = await writeJson(places.results, report.rendering);
  const pdf = await writeJson(places.pdf, report.pdf);
  const jobs = await writeJson(places.jobs, report.jobs);
  const service = await writeJson(places.service, report.service);
  const pictures = [
    ...(rendering === null ? [] : picturesOf(rendering)),
    ...(pdf === null ? [] : pdfPicturesOf(pdf)),
  ];
  for (const { file, svg } of pictures) await writeTo(new URL(file, places.pictures), svg);
  await writeTo(places.page, page({ rendering, pdf, jobs, service }, pictures));
}

/** Results that were written before. */
export async function readResults(places: Places): Promise<Report> {
  return {
    rendering: await readJson<Results>(places.results),
    pdf: await readJson<PdfResults>(places.pdf),
    jobs: await readJson<JobsResults>(places.jobs),
    service: await readJson<ServiceResults>(places.service),
  };
}

/** What a file holds; null when there is none. */
async function readJson<T>(file: URL): Promise<T | null> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const results: T = JSON.parse(text);
  return results;
}

/** Gives what it has written. What is null is not written. */
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

/** Five digits are more than any measurement here has. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(5))
    : value;
}
