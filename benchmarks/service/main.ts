/**
 * `npm run bench:service` measures the service under load over HTTP: how fast it accepts small batches and how the time
 * is spent, many connections, giant batches, a tenant's requests during another tenant's flood, requests that take long
 * to read, pages and streams. Servers and load generators run in separate processes. With --quick, it measures a little
 * of each and does not keep the results.
 */
import { machine, today } from "../measure/machine.ts";
import { KEPT, PASSING, readResults, writeReport } from "../report/write-report.ts";
import { hostileScenario } from "./hostile.ts";
import type { DisturbedLine, ServiceResults } from "./results.ts";
import {
  acceptScenario,
  connectionsScenario,
  disturbedScenario,
  type Extent,
  pagesScenario,
} from "./scenarios.ts";

const isQuick = process.argv.includes("--quick");
const extent: Extent = isQuick
  ? { rounds: 1, seconds: 2, connections: 500, entries: 2000 }
  : { rounds: 3, seconds: 5, connections: 10_000, entries: 10_000 };

async function disturbed({ rounds, seconds, entries }: Extent): Promise<DisturbedLine[]> {
  const any = { args: ["--rate", "0"], seconds, entries };
  const usual = { ...any, args: [] };
  const flood = { with: "batches" } as const;
  const reads = { with: "reads" } as const;
  const giants = { with: "giants" } as const;
  return [
    await disturbedScenario("a flood", { ...any, ...flood, kind: "running" }, rounds),
    await disturbedScenario("a flood", { ...any, ...flood, kind: "held" }, rounds),
    await disturbedScenario(
      "a flood, 1,000 requests a minute",
      { ...usual, ...flood, kind: "running" },
      rounds,
    ),
    await disturbedScenario("a flood of reads", { ...any, ...reads, kind: "running" }, rounds),
    await disturbedScenario("giant batches", { ...any, ...giants, kind: "running" }, rounds),
    await disturbedScenario("giant batches", { ...any, ...giants, kind: "held" }, rounds),
  ];
}

const results: ServiceResults = {
  date: today(),
  machine: machine(),
  rounds: extent.rounds,
  accept: await acceptScenario(extent),
  disturbed: await disturbed(extent),
  hostile: await hostileScenario(extent.rounds),
  ...(await pagesScenario(extent)),
  connections: await connectionsScenario(extent),
};
const places = isQuick ? PASSING : KEPT;
await writeReport({ ...(await readResults(KEPT)), service: results }, places);
process.exit();
