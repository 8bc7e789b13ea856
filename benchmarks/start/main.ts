/**
 * `npm run bench:start` measures the CPU time of short programs: commands that only print, and programs that only load
 * a package. Each one runs in a new process. Each round starts all of them in a different order. With --quick, there
 * are three rounds, and the results are not kept.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { machine, today } from "../measure/machine.ts";
import { shuffled } from "../measure/rounds.ts";
import { type Spread, spreadOf } from "../measure/statistics.ts";
import { startTable } from "../report/start-page.ts";
import { KEPT, PASSING, readResults, writeReport } from "../report/write-report.ts";
import type { StartResults } from "./results.ts";

const METER = fileURLToPath(new URL("meter.cjs", import.meta.url));
const QUIRE = fileURLToPath(new URL("../../packages/cli/bin/quire.js", import.meta.url));
const BENCHMARKS = fileURLToPath(new URL("../", import.meta.url));

interface Program {
  readonly title: string;
  /** The command-line arguments for Node. */
  readonly args: readonly string[];
  /** Whether the program loads a library. If so, it is compared with loading docxtemplater. */
  readonly isLibrary?: true;
}

const EMPTY: Program = { title: "an empty program", args: code("") };
const PEER: Program = {
  title: "loads docxtemplater and pizzip",
  args: code('import "docxtemplater"; import "pizzip";'),
  isLibrary: true,
};
const PROGRAMS: readonly Program[] = [
  EMPTY,
  { title: "`quire --version`", args: [QUIRE, "--version"] },
  { title: "`quire --help`", args: [QUIRE, "--help"] },
  { title: "`quire run --help`", args: [QUIRE, "run", "--help"] },
  PEER,
  { title: "loads `@quire/core`", args: code('import "@quire/core";'), isLibrary: true },
  { title: "loads `@quire/core/host`", args: code('import "@quire/core/host";'), isLibrary: true },
];

function code(text: string): string[] {
  return ["--input-type=module", "--eval", text];
}

function cpuMsOf({ title, args }: Program): number {
  const { status, output } = spawnSync(process.execPath, ["--require", METER, ...args], {
    cwd: BENCHMARKS,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const cpuMs = Number(output[3]);
  if (status === 0 && cpuMs > 0) return cpuMs;
  throw new Error(`The program '${title}' failed.`);
}

function measure(rounds: number): StartResults {
  const times = new Map<Program, number[]>(PROGRAMS.map((program) => [program, []]));
  for (const program of PROGRAMS) cpuMsOf(program); // reads the files into the system's cache
  for (let round = 0; round < rounds; round++) {
    for (const [program, own] of shuffled([...times], round)) own.push(cpuMsOf(program));
  }
  const timesOf = (own: readonly number[], baseline: Program): Spread => {
    const others = times.get(baseline) ?? [];
    return spreadOf(own.map((cpuMs, round) => cpuMs / (others[round] ?? Number.NaN)));
  };
  const lines = [...times].map(([{ title, isLibrary }, own]) => ({
    title,
    cpuMs: spreadOf(own),
    ratio: timesOf(own, EMPTY),
    ...(isLibrary && { peerRatio: timesOf(own, PEER) }),
  }));
  return { date: today(), machine: machine(), rounds, lines };
}

const isQuick = process.argv.includes("--quick");
const start = measure(isQuick ? 3 : 20);
await writeReport({ ...(await readResults(KEPT)), start }, isQuick ? PASSING : KEPT);
console.log(startTable(start));
