import type { Report } from "../support/report.ts";
import { type BrokenCall, brokenCalls } from "./broken-calls.ts";
import { clockJumps } from "./clocks.ts";
import { converterFaults } from "./converter-faults.ts";
import { crashPoints } from "./crash-points.ts";
import {
  fewFiles,
  fullJournal,
  fullOutput,
  fullTemp,
  readOnlyOutput,
  vanishedOutput,
} from "./disks.ts";
import { dripping } from "./dripping.ts";
import { firstStarts } from "./first-starts.ts";
import { freezePoints, randomFreezes } from "./freezes.ts";
import { hostileTenant } from "./hostile-tenant.ts";
import { machines } from "./machines.ts";
import { killChildren, killEngine } from "./random-kills.ts";
import { ALL_STOPS, drains } from "./signals.ts";
import { replacedTemplate } from "./templates.ts";
import { faultTests } from "./tests.ts";

type Scenario = (progress: (text: string) => void) => Promise<Report>;

/** The long form of each scenario, by its name on the command line. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  tests: faultTests,
  "crash-points": (progress) =>
    crashPoints({ every: 1, onPoint: (done, all) => progress(`${done} of ${all}`) }),
  kills: (progress) =>
    killEngine({
      kills: 200,
      entries: 16_000,
      seed: 11,
      withinMs: 700,
      onKill: (done) => progress(`${done}`),
    }),
  "kills-pdf": () =>
    killEngine({
      kills: 20,
      entries: 600,
      seed: 12,
      withinMs: 2500,
      changes: { outputType: "pdf" },
    }),
  "early-kills-pdf": (progress) =>
    killEngine({
      kills: 65,
      entries: 2000,
      seed: 16,
      withinMs: 5000,
      early: 1,
      changes: { outputType: "pdf" },
      onKill: (done) => progress(`${done}`),
    }),
  "child-kills": () => killChildren({ kills: 40, entries: 10_000, seed: 13, withinMs: 2000 }),
  "child-kills-pdf": () =>
    killChildren({
      kills: 40,
      entries: 1000,
      seed: 14,
      withinMs: 4000,
      changes: { outputType: "pdf" },
    }),
  "converter-faults": () =>
    converterFaults({
      letters: 10_000,
      kills: 20,
      crashing: 2,
      hanging: 0,
      deadlineMs: 60_000,
      seed: 17,
    }),
  "converter-hangs": () =>
    converterFaults({
      letters: 2_000,
      kills: 0,
      crashing: 0,
      hanging: 10,
      deadlineMs: 20_000,
      seed: 18,
    }),
  freezes: () => randomFreezes(8, 6000, 15),
  "freeze-points": () => freezePoints([1, 2, 3, 4, 5, 6]),
  signals: () => drains(ALL_STOPS, { entries: 300 }),
  "signals-pdf": () => drains(ALL_STOPS, { entries: 30, outputType: "pdf" }),
  "full-output": () => fullOutput(),
  "full-journal": () => fullJournal(Array.from({ length: 24 }, (_, index) => 40 + 40 * index)),
  "full-temp": fullTemp,
  "read-only": () => readOnlyOutput(),
  vanished: vanishedOutput,
  "few-files": () => fewFiles([24, 32, 40, 48, 64, 100]),
  "broken-calls": () => brokenCalls(CALLS_THAT_FAIL),
  clocks: () => clockJumps(600),
  template: () => replacedTemplate(400),
  "first-starts": () => firstStarts(10, 4),
  "hostile-tenant": () =>
    hostileTenant({ seconds: 600, seed: 16, lanes: 6, rounds: 20, harmless: 20 }),
  // The longest time limit is the five minutes of an upload.
  dripping: () => dripping({ connections: 500, rounds: 20, seconds: 60 }),
  "few-connections": () =>
    dripping({
      connections: 1100,
      rounds: 5,
      seconds: 30,
      longestMs: 100_000,
      openFiles: 1024,
    }),
  machines: (progress) =>
    machines(
      { jobs: 2000, workers: 7, nodes: 4, servers: 5, cuts: 16, promotions: 6, seed: 19 },
      progress,
    ),
  "many-machines": (progress) =>
    machines(
      { jobs: 500_000, workers: 100, nodes: 60, servers: 60, cuts: 60, promotions: 10, seed: 20 },
      progress,
    ),
};

/** Scenarios that take hours. They run only if they are named. */
export const ONLY_BY_NAME: ReadonlySet<string> = new Set(["many-machines"]);

const COUNTS = Array.from({ length: 20 }, (_, index) => String(index + 1));

/** Calls for syncing, writing, linking and unlinking that fail, once or permanently. */
const CALLS_THAT_FAIL: readonly BrokenCall[] = [
  ...COUNTS.map((when) => ({ thread: "database", call: "fsync", error: "EIO", when }) as const),
  ...["1", "60", "90", "150", "200", "240", "200+"].flatMap((when) => [
    { thread: "database", call: "pwrite64", error: "EIO", when } as const,
    { thread: "database", call: "pwrite64", error: "ENOSPC", when } as const,
  ]),
  ...COUNTS.slice(0, 12).map(
    (when) => ({ thread: "files", call: "fsync", error: "EIO", when }) as const,
  ),
  ...["1", "3", "2+"].flatMap((when) => [
    { thread: "files", call: "link", error: "EIO", when } as const,
    { thread: "files", call: "unlink", error: "EIO", when } as const,
  ]),
];
