/** Sends a service documents that try to fetch or read something, and finds leaks. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { expect, onTestFinished } from "vitest";
import {
  BAITS,
  requests,
  secretIn,
  type Way,
  watched,
} from "../../../pdf-libreoffice/test/bait.ts";
import { VECTORS } from "../../../pdf-libreoffice/test/vectors.ts";
import { makePlace, until } from "./cli.ts";
import { batchOf, type Service, type ServiceProcess, serveProcess, TOKEN } from "./serve.ts";

/** The results of all documents. */
interface Outcome {
  /** Everything that was fetched, read or shown, with the vector and the kind of address. */
  readonly leaks: readonly string[];
  /** The number of documents made as PDF. */
  readonly made: number;
  /** The number of documents rejected, as a batch or as a job. */
  readonly refused: number;
  /** The bait files that processes opened, and the connections of the processes; null if strace is missing. */
  readonly traced: readonly string[] | null;
}

/** The kinds of addresses to try, each document with one of them in turn, and the isolation of the service. */
export interface ServedAttempt {
  readonly ways: readonly Way[];
  /** The names of documents. Default: all. */
  readonly vectors?: readonly string[];
  /** Whether the program that creates namespaces is missing. Default false. */
  readonly withoutNamespaces?: boolean;
}

/** Expects that the service fetches and reads nothing that a template names, and that it makes most of the PDFs. */
export async function expectNoLeaks(attempt: ServedAttempt): Promise<void> {
  const { leaks, made, refused, traced } = await servedLeaks(attempt);
  expect(leaks).toEqual([]);
  // Without strace, only the access times and the listener can reveal a leak.
  expect(traced ?? []).toEqual([]);
  const tried = (attempt.vectors ?? Object.keys(VECTORS)).length;
  expect(made + refused).toBe(tried);
  expect(made).toBeGreaterThan(tried / 2);
}

/** Sends every document as a template, makes a PDF of each, and returns the leaks. */
async function servedLeaks(attempt: ServedAttempt): Promise<Outcome> {
  const { ways, vectors = Object.keys(VECTORS), withoutNamespaces = false } = attempt;
  const place = await makePlace();
  const baitFolder = place.path("bait");
  await mkdir(baitFolder);
  const env = withoutNamespaces ? { PATH: place.path("no-programs") } : {};
  const service = await serveProcess(place, { args: ["--rate", "0"], env });
  const folder = await service.folder("out");
  const trace = await traced(service, place.path("trace"));
  const leaks: string[] = [];
  let [made, refused] = [0, 0];
  for (const [turn, way] of ways.entries()) {
    const bait = await BAITS[way](baitFolder);
    for (const vector of vectors.filter((_, at) => at % ways.length === turn)) {
      const name = `${vector}, ${way}`;
      const document = await VECTORS[vector]?.(bait);
      if (document === undefined) throw new Error(`There is no vector "${vector}".`);
      requests.length = 0;
      const wasRead = await watched(baitFolder);
      const pdf = await pdfOf(service, folder, document).catch((cause: unknown) => {
        throw new Error(`${name} was not converted: ${service.stderr().slice(-2_000)}`, { cause });
      });
      if (pdf === null) refused += 1;
      else made += 1;
      const seen = pdf === null ? null : await secretIn(pdf);
      if (seen !== null) leaks.push(`${name}: ${seen}`);
      if (await wasRead()) leaks.push(`${name}: a file was read`);
      if (requests.length > 0) leaks.push(`${name}: ${requests.join(", ")}`);
    }
  }
  requests.length = 0;
  await service.stop();
  if (requests.length > 0) leaks.push(`late: ${requests.join(", ")}`);
  return { leaks, made, refused, traced: (await trace?.(baitFolder)) ?? null };
}

let count = 0;

/** Returns the PDF of a document that is used as a template; null if the document is rejected. */
async function pdfOf(
  service: Service,
  folder: string,
  document: Uint8Array,
): Promise<Uint8Array | null> {
  count += 1;
  const file = await service.upload(`template ${count}.docx`, document);
  const entries = [{ generated_file_name: `document ${count}`, user_input: {} }];
  const started = await service.ask("/2.0/docgen_batches", {
    body: batchOf(file, folder, entries, "pdf"),
  });
  if (started.status !== 202) return null;
  await service.finished(started.body.id);
  const { body } = await service.ask(`/2.0/docgen_batch_jobs/${started.body.id}`);
  const [job] = body.entries;
  const id = job?.output_file?.id;
  if (id === undefined) return null;
  const answer = await fetch(`${service.url}/2.0/files/${id}/content`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * Attaches strace to a service and all its processes; returns null if tracing is not possible. Otherwise, returns a
 * function that waits for the end of the service and returns the files that processes opened in a folder, and all
 * connections.
 */
async function traced(
  { process: child }: ServiceProcess,
  log: string,
): Promise<((folder: string) => Promise<string[]>) | null> {
  const calls = "trace=open,openat,openat2,execve,connect,sendto,sendmsg";
  const pids = descendants(child.pid ?? 0).flatMap((pid) => ["-p", String(pid)]);
  const strace = spawn("strace", ["-f", "-s", "4096", "-e", calls, "-o", log, ...pids], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void strace.kill());
  const ended = once(strace, "close").catch(() => undefined);
  let [said, isOver] = ["", false];
  strace.stderr.on("data", (text) => {
    said += String(text);
  });
  void ended.then(() => {
    isOver = true;
  });
  await until("strace is attached", () => isOver || said.includes("attached"), 30);
  if (isOver) return null;
  return async (folder) => {
    await ended;
    const lines = (await readFile(log, "utf8")).split("\n");
    if (!lines.some((line) => /\.docx"/.test(line))) throw new Error("strace saw no document.");
    return lines.filter((line) => line.includes(`${folder}/`) || /sin6?_addr/.test(line));
  };
}

/** Returns a process and its descendants. */
function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const list = readFileSync(`/proc/${pid}/task/${task}/children`, "utf8");
    return list.split(" ").filter(Boolean).map(Number);
  });
  return [pid, ...children.flatMap(descendants)];
}
