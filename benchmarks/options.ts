import { parseArgs } from "node:util";
import type { PdfSettings } from "./pdf/results.ts";
import { PDF_PARTS } from "./pdf/run.ts";
import type { Settings } from "./report/results.ts";
import { SCENARIOS } from "./scenarios/all.ts";

/** The options of a run. */
export interface Options {
  /** Whether to measure converting to PDF instead of rendering. */
  readonly pdf: boolean;
  readonly settings: Settings;
  readonly pdfSettings: PdfSettings;
  /** The names of the parts to measure; empty for all. */
  readonly only: ReadonlySet<string>;
  /** Whether the run measures everything with full settings. The page is rewritten only in this case. */
  readonly complete: boolean;
  /** Whether to write only the page, from existing results. */
  readonly reportOnly: boolean;
}

const PARTS: readonly string[] = [...SCENARIOS.map(({ name }) => name), "growth", "batch"];

/** What `--help` prints. */
export const HELP = `npm run bench -- [options]

  --pdf               converting to PDF, in place of rendering
  --quick             few and short rounds, short curves, small batches
  --only a,b          only these (also: --scenarios): ${PARTS.join(", ")};
                      with --pdf: ${PDF_PARTS.join(", ")}
  --rounds n          rounds for each scenario
  --report            write the page from the last complete runs, and measure nothing

A complete run writes docs/benchmarks.md, its pictures and benchmarks/results. With --quick or --only, all of
that goes to out/benchmarks instead.`;

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

const PDF_FULL: PdfSettings = {
  rounds: 5,
  warmUpMs: 3_000,
  windowMs: 4_000,
  fewest: 4,
  batchDocuments: 1_000,
  batchRounds: 3,
  seriesDocuments: 1_000,
  seriesStep: 100,
};

const PDF_QUICK: PdfSettings = {
  rounds: 2,
  warmUpMs: 1_000,
  windowMs: 1_000,
  fewest: 2,
  batchDocuments: 100,
  batchRounds: 1,
  seriesDocuments: 100,
  seriesStep: 20,
};

/** Reads the command line. Returns null if it asks for help. Throws for invalid options. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pdf: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      scenarios: { type: "string" },
      rounds: { type: "string" },
      report: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const names = values.pdf ? PDF_PARTS : PARTS;
  const asked = values.only ?? values.scenarios;
  const only = asked?.split(",").map((name) => name.trim()) ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Unknown name '${unknown}'. Known names: ${names.join(", ")}.`);
  }
  const settings = values.quick ? QUICK : FULL;
  const pdfSettings = values.quick ? PDF_QUICK : PDF_FULL;
  const rounds = Number(values.rounds ?? (values.pdf ? pdfSettings : settings).rounds);
  if (!Number.isSafeInteger(rounds) || rounds < 1) {
    throw new Error("--rounds must be a whole number of at least 1.");
  }
  return {
    pdf: values.pdf,
    settings: { ...settings, rounds },
    pdfSettings: { ...pdfSettings, rounds },
    only: new Set(only),
    complete: !values.quick && asked === undefined,
    reportOnly: values.report,
  };
}
