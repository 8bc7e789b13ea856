import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compileTemplate, isQuireError } from "@quire/core";
import { libreOffice } from "@quire/pdf-libreoffice";
import { hangingDocx } from "../../packages/pdf-libreoffice/test/docx.ts";
import { familyOf, type Process, send } from "../support/processes.ts";
import { randomFrom } from "../support/random.ts";
import type { Report } from "../support/report.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** The letters to convert, and the faults during their conversion. */
export interface FaultOptions {
  readonly letters: number;
  /** How often a LibreOffice or a lane is killed at a random moment. */
  readonly kills: number;
  /** Number of documents that crash LibreOffice, and of documents on which it hangs. */
  readonly crashing: number;
  readonly hanging: number;
  readonly deadlineMs: number;
  readonly seed: number;
  /** Number of conversions with faults. Default 1. */
  readonly rounds?: number;
}

/** The text of documents whose LibreOffice gets a SIGSEGV. */
const CRASHES = "crashes LibreOffice";
const HANGS = "hangs LibreOffice";

/** How many conversions are requested at the same time, as by a batch. */
const AT_ONCE = 160;

interface Outcome {
  readonly seconds: number;
  /** The error of each document; null for a PDF. */
  readonly errors: readonly (string | null)[];
  readonly ends: readonly string[];
}

/**
 * Converts letters of one template without faults, then in turns with faults and without. Only the bad documents may
 * fail. The throughput with faults, compared with the conversions before and after, is a note, because it depends on
 * the machine.
 */
export async function converterFaults(options: FaultOptions): Promise<Report> {
  const { letters, kills, crashing, hanging, deadlineMs, rounds = 1 } = options;
  const good = await makeLetters(letters);
  const bad = [...badOnes(CRASHES, crashing), ...badOnes(HANGS, hanging)];
  const expected = new Map(
    bad.map((one, at) => [one, at < crashing ? "conversion_failed" : "timeout"]),
  );
  const random = randomFrom(options.seed);
  const quiet = { first: good[0] ?? new Uint8Array(), kills: 0, deadlineMs, random };
  const violations: string[] = [];
  const notes: string[] = [];
  const percentages: number[] = [];
  let before = await convertAll(good, quiet);
  for (let round = 0; round < rounds; round++) {
    const mixed = [...good];
    for (const one of bad) mixed.splice(Math.floor(random() * mixed.length), 0, one);
    const faulty = await convertAll(mixed, { ...quiet, kills });
    const after = await convertAll(good, quiet);
    violations.push(...violationsOf(mixed, faulty, expected));
    const undisturbed = (before.seconds + after.seconds) / 2;
    percentages.push(Math.round((100 * undisturbed) / faulty.seconds));
    notes.push(
      `without faults ${before.seconds} s and ${after.seconds} s, with faults ${faulty.seconds} s`,
      `throughput with faults: ${percentages.at(-1)} %`,
      `lanes ended: ${faulty.ends.join(", ") || "none"}`,
    );
    before = after;
  }
  const median = percentages.sort((a, b) => a - b)[Math.floor(rounds / 2)];
  if (rounds > 1) notes.push(`median of the throughput with faults: ${median} %`);
  return {
    scenario: "A converter under kills, with bad documents",
    tried: `${letters} letters, ${kills} kills, ${crashing} crashing and ${hanging} hanging documents`,
    violations,
    notes,
  };
}

/** Names the documents of which the error is not the expected one. Documents without an expected error should be PDFs. */
function violationsOf(
  documents: readonly Uint8Array[],
  { errors }: Outcome,
  expected: ReadonlyMap<Uint8Array, string>,
): string[] {
  return documents.flatMap((document, at) => {
    const [error, wanted] = [errors[at] ?? null, expected.get(document) ?? null];
    const isRight = wanted === null ? error === null : error?.startsWith(wanted);
    return isRight
      ? []
      : [`document ${at} should be ${wanted ?? "a PDF"}, but is ${error ?? "a PDF"}`];
  });
}

function badOnes(text: string, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, number) => hangingDocx(`${text} ${number}`));
}

async function makeLetters(count: number): Promise<Uint8Array[]> {
  const template = await compileTemplate(
    await readFile(new URL("templates/letter.docx", EXAMPLES)),
  );
  const data = JSON.parse(await readFile(new URL("data/letter.json", EXAMPLES), "utf8"));
  const renamed = (value: unknown, by: number): unknown => {
    if (typeof value === "string") return `${value} ${by}`;
    if (Array.isArray(value)) return value.map((item) => renamed(item, by));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamed(each, by)]));
  };
  return Array.from({ length: count }, (_, number) => {
    return template.render(renamed(data, number) as Record<string, unknown>).bytes;
  });
}

async function convertAll(
  documents: readonly Uint8Array[],
  {
    first,
    kills,
    deadlineMs,
    random,
  }: {
    /** A good document, to wait for the first lane. */
    readonly first: Uint8Array;
    readonly kills: number;
    readonly deadlineMs: number;
    readonly random: () => number;
  },
): Promise<Outcome> {
  const tempDir = await mkdtemp(join(tmpdir(), "quire-chaos-"));
  const ends: string[] = [];
  const onReplaced = (end: string): void => void ends.push(end);
  const converter = libreOffice({ tempDir, deadlineMs, cacheMb: 0, onReplaced });
  await converter.convert(first);
  const moments = new Set(
    Array.from({ length: kills }, () => Math.floor(random() * documents.length)),
  );
  const errors: (string | null)[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < documents.length; at = next++) {
      if (moments.has(at)) await killOne(random);
      const options = { rendered: true, group: "letters" };
      errors[at] = await converter.convert(documents[at] ?? new Uint8Array(), options).then(
        () => null,
        (error: unknown) =>
          isQuireError(error) ? `${error.code}: ${error.message}` : String(error),
      );
    }
  };
  const done = new AbortController();
  const crasher = crashOffices(done.signal);
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  done.abort();
  await crasher;
  await converter.close();
  await rm(tempDir, { recursive: true, force: true });
  return { seconds, errors, ends };
}

function isOffice({ name, command }: Process): boolean {
  return name === "soffice.bin" && command.includes("/lane-");
}

/** Kills a LibreOffice or a lane of this process. */
async function killOne(random: () => number): Promise<void> {
  const family = await familyOf(process.pid);
  const isLane = ({ command }: Process): boolean => command.includes("lane-process");
  const victims = family.filter(random() < 0.5 ? isOffice : isLane);
  const victim = victims[Math.floor(random() * victims.length)];
  if (victim !== undefined) send(victim.pid, "SIGKILL");
}

/** Sends SIGSEGV to each LibreOffice that has a document which should crash it. */
async function crashOffices(done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    for (const office of (await familyOf(process.pid)).filter(isOffice)) {
      const lane = /file:\/\/(\/\S*?\/lane-\d+)\//.exec(office.command)?.[1] ?? "";
      const work = join(lane, "work");
      for (const name of await readdir(work).catch(() => [])) {
        const bytes = await readFile(join(work, name)).catch(() => Buffer.alloc(0));
        if (bytes.includes(CRASHES)) send(office.pid, "SIGSEGV");
      }
    }
    await sleep(100);
  }
}
