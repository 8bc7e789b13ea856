import { parseArgs } from "node:util";
import type { Settings } from "./report/results.ts";
import { SCENARIOS } from "./scenarios/all.ts";

/** What a run does. */
export interface Options {
  readonly settings: Settings;
  /** The names of what is measured. */
  readonly only: ReadonlySet<string>;
  /** Whether everything is measured, for as long as the page says: then the page is written anew. */
  readonly complete: boolean;
  /** Nothing is measured: the page is written from the results that are there. */
  readonly reportOnly: boolean;
}

/** What `--help` prints. */
export const HELP = `npm run bench -- [options]

  --quick             few and short rounds, short curves, a small batch
  --only a,b          only these: ${[...SCENARIOS.map(({ name }) => name), "growth", "batch"].join(", ")}
  --rounds n          rounds for each scenario
  --report            write the page from the last complete run, and measure nothing

A complete run writes docs/benchmarks.md, its pictures and benchmarks/results/benchmark.json. With --quick
or --only, all of that goes to out/benchmarks instead.`;

const FULL: Settings = {
  rounds: 7,
  warmUpMs: 3_000,
  windowMs: 1_000,
  fewest: 3,
  compared: 8,
  mostRows: 1_000_000,
  mostDocuments: 100_000,
  batchDocuments: 10_000,
  batchRounds: 3,
  longestSeconds: 60,
  largestMb: 4_000,
};

const QUICK: Settings = {
  ...FULL,
  rounds: 2,
  warmUpMs: 600,
  windowMs: 300,
  fewest: 1,
  compared: 2,
  mostRows: 1_000,
  mostDocuments: 1_000,
  batchDocuments: 300,
  batchRounds: 1,
};

/** Reads the command line. Gives null when it asks for help, throws when it cannot be. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      rounds: { type: "string" },
      report: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const names = [...SCENARIOS.map(({ name }) => name), "growth", "batch"];
  const only = values.only?.split(",").map((name) => name.trim()) ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `There is nothing named '${unknown}' to measure. There is: ${names.join(", ")}.`,
    );
  }
  const settings = values.quick ? QUICK : FULL;
  const rounds = Number(values.rounds ?? settings.rounds);
  if (!Number.isSafeInteger(rounds) || rounds < 1) {
    throw new Error("--rounds must be a whole number from 1.");
  }
  return {
    settings: { ...settings, rounds },
    only: new Set(only),
    complete: !values.quick && values.only === undefined,
    reportOnly: values.report,
  };
}
