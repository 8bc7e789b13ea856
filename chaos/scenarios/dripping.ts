import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type Server,
  startService,
  type Tenant,
  upload,
} from "../../benchmarks/service/running.ts";
import { Bystander, median } from "../hostile/bystander.ts";
import { hostileClient } from "../hostile/client.ts";
import type { Dripped, DripTask } from "../hostile/dripper.ts";
import { ownMb } from "../hostile/watcher.ts";
import type { Report } from "../support/report.ts";

/** The numbers and durations of a run. */
export interface DrippingOptions {
  readonly connections: number;
  /** Number of uploads that are measured without the slow connections, and again with them. */
  readonly rounds: number;
  /** The time in seconds during which connections that end are replaced by new ones. */
  readonly seconds: number;
  /** Kinds of connections that the service may hold for longer are skipped. */
  readonly longestMs?: number;
  /** Only kinds whose name contains this are used. */
  readonly only?: string;
  /**
   * The service's limit of open files. If it is set, more connections than this are opened, and times are not checked.
   */
  readonly openFiles?: number;
}

/** Limits that must hold. Node returns some of its unused memory late, which the limits allow for. */
const LIMITS = {
  uploadTimes: 2,
  otherTimes: 3,
  lateMs: 5_000,
  ownMb: 512,
  keptMb: 250,
  keptFiles: 10,
} as const;

const WANTED = ["1 MB up", "20 MB up", "a listing", "a document"] as const;
type Times = Record<(typeof WANTED)[number], number[]>;

const DRIPPER = fileURLToPath(new URL("../hostile/dripper.ts", import.meta.url));
const SMALL = new Uint8Array(1_000_000).fill(65);
const LARGE = new Uint8Array(20_000_000).fill(66);
/** A file that is larger than any buffer of a connection, but smaller than one tenant's share of outgoing bytes. */
const UNTAKEN = new Uint8Array(12_000_000).fill(67);
const STREAMS = 100;
const SETTLE_MS = 3_000;

interface Footprint {
  readonly mb: number;
  readonly files: number;
}

interface Measured {
  readonly alone: Times;
  readonly meanwhile: Times;
  readonly before: Footprint;
  readonly most: Footprint;
  readonly after: Footprint;
  readonly dripped: Readonly<Record<string, Dripped>>;
  readonly complaints: readonly string[];
  readonly ended: string | undefined;
}

/**
 * Opens hundreds of slow connections. The effect on another tenant must be small, and all connections must end in time.
 */
export async function dripping(options: DrippingOptions): Promise<Report> {
  const { openFiles } = options;
  const few = openFiles === undefined ? {} : { openFiles };
  await using server = await startService("running", { tenants: 2, args: [], ...few });
  const measured = await measure(server, options);
  const kinds = Object.values(measured.dripped);
  const opened = kinds.reduce((sum, kind) => sum + kind.opened, 0);
  return {
    scenario: "Slow connections",
    tried: `${options.connections} at a time of ${kinds.length} kinds, ${opened} in total`,
    violations: violationsOf(measured, openFiles === undefined),
    notes: notesOf(measured),
  };
}

async function measure(server: Server, options: DrippingOptions): Promise<Measured> {
  const [hostile, other] = server.tenants as [Tenant, Tenant];
  const { rounds, seconds } = options;
  const bystander = new Bystander(server.url, other);
  const times = (): Times => ({ "1 MB up": [], "20 MB up": [], "a listing": [], "a document": [] });
  const [alone, meanwhile] = [times(), times()];
  const large = await upload(server.url, hostile.token, "large.bin", UNTAKEN);
  await wantAll(server, other, bystander, times());
  // Half of these rounds are measured afterwards, because other programs also use this machine.
  const half = Math.ceil(rounds / 2);
  for (let round = 0; round < half; round++) await wantAll(server, other, bystander, alone);
  await sleep(SETTLE_MS);
  const before = await footprint(server);
  let most = before;
  const drips = drip(server, hostile, large, options);
  const besides = async (): Promise<void> => {
    // All connections are open at this point.
    await sleep(SETTLE_MS);
    const end = performance.now() + seconds * 1000 - 2 * SETTLE_MS;
    for (let round = 0; round < rounds && server.ended() === undefined; round++) {
      await wantAll(server, other, bystander, meanwhile);
      const { mb, files } = await footprint(server);
      most = { mb: Math.max(most.mb, mb), files: Math.max(most.files, files) };
      await sleep(Math.max(0, (end - performance.now()) / (rounds - round)));
    }
  };
  const [dripped] = await Promise.all([drips, besides()]);
  await sleep(SETTLE_MS);
  const after = await footprint(server);
  for (let round = half; round < rounds; round++) await wantAll(server, other, bystander, alone);
  const complaints = [...bystander.complaints, ...(await whatIsNotFree(server, hostile, large))];
  return { alone, meanwhile, before, most, after, dripped, complaints, ended: server.ended() };
}

/** Measures one request of each kind, one after the other. */
async function wantAll(
  { url }: Server,
  { token }: Tenant,
  bystander: Bystander,
  times: Times,
): Promise<void> {
  const up = (bytes: Uint8Array): Promise<unknown> =>
    upload(url, token, `${randomUUID()}.bin`, bytes).catch((error: unknown) =>
      bystander.complaints.push(`an upload: ${error}`),
    );
  const work: Record<keyof Times, () => Promise<unknown>> = {
    "1 MB up": () => up(SMALL),
    "20 MB up": () => up(LARGE),
    "a listing": () => bystander.want("answer"),
    "a document": () => bystander.want("docx"),
  };
  for (const wanted of WANTED) {
    const began = performance.now();
    await work[wanted]();
    times[wanted].push(performance.now() - began);
  }
}

async function drip(
  { url }: Server,
  hostile: Tenant,
  large: string,
  { connections, seconds, longestMs = Number.MAX_SAFE_INTEGER, only = "" }: DrippingOptions,
): Promise<Record<string, Dripped>> {
  const client = hostileClient({ url, ...hostile }, {});
  const entries = Array.from({ length: 300 }, (_, index) => ({
    data: { customer: { name: `${index}` } },
  }));
  const batch = (await client.batch(hostile.template, entries)) ?? "";
  const host = new URL(url).host;
  const task: DripTask = { ...hostile, host, large, batch, connections, seconds, longestMs, only };
  const args = ["--no-warnings", DRIPPER, JSON.stringify(task)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout) as Record<string, Dripped>;
}

/** Uses the resources that the connections occupied. Returns a complaint for each resource that is not free again. */
async function whatIsNotFree({ url }: Server, { token }: Tenant, large: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}`, "service-version": "2025.0" };
  const complaints: string[] = [];
  const get = async (path: string): Promise<void> => {
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    if (!response.ok) complaints.push(`afterwards ${path} got status ${response.status}`);
  };
  const up = () => upload(url, token, `${randomUUID()}.bin`, SMALL);
  await Promise.all([
    ...Array.from({ length: STREAMS }, up),
    ...Array.from({ length: 4 }, () => get(`/2.0/files/${large}/content`)),
  ]).catch((error: unknown) => complaints.push(`afterwards: ${error}`));
  return complaints;
}

async function footprint({ pid }: Server): Promise<Footprint> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return { mb: await ownMb(pid), files: files.length };
}

function violationsOf(measured: Measured, judgesTimes: boolean): string[] {
  const { alone, meanwhile, before, most, after, dripped, complaints, ended } = measured;
  const violations = complaints.map((text) => `another tenant: ${text}`);
  const within = (what: string, value: number, limit: number): void => {
    if (!(value <= limit))
      violations.push(`${what}: ${Math.round(value)}, the limit is ${Math.round(limit)}`);
  };
  if (ended !== undefined) violations.push(`the service ended: ${ended}`);
  for (const wanted of judgesTimes ? WANTED : []) {
    const times = wanted.endsWith("up") ? LIMITS.uploadTimes : LIMITS.otherTimes;
    within(
      `another tenant's ${wanted}, ms`,
      median(meanwhile[wanted]),
      times * median(alone[wanted]),
    );
  }
  for (const [name, { lateMs, left }] of Object.entries(dripped)) {
    within(`${name}: held past its limit, ms`, lateMs, LIMITS.lateMs);
    within(`${name}: held forever`, left, 0);
  }
  within("memory of the serving process, MB", most.mb, LIMITS.ownMb);
  within("memory not released, MB", after.mb - before.mb, LIMITS.keptMb);
  within("files not closed", after.files - before.files, LIMITS.keptFiles);
  return violations;
}

function notesOf({ alone, meanwhile, before, most, after, dripped }: Measured): string[] {
  const times = WANTED.map((wanted) => {
    const [a, b] = [median(alone[wanted]), median(meanwhile[wanted])];
    const worst = Math.max(...meanwhile[wanted]).toFixed(0);
    return `${wanted} ${a.toFixed(1)} ms alone, ${b.toFixed(1)} under load (× ${(b / a).toFixed(2)}; slowest of ${meanwhile[wanted].length}: ${worst})`;
  });
  const [small, large, late] = [before, most, after].map(inWords);
  return [
    `another tenant: ${times.join("; ")}`,
    `the serving process: ${small} before, ${large} at most, ${late} afterwards`,
    ...Object.entries(dripped).map(
      ([name, { opened, longestMs, answers }]) =>
        `${name}: ${opened}, each closed within ${(longestMs / 1000).toFixed(1)} s; responses ${JSON.stringify(answers)}`,
    ),
  ];
}

function inWords({ mb, files }: Footprint): string {
  return `${mb.toFixed(0)} MB and ${files} files`;
}
