import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSoffice, INSTALL_HINT, sofficeVersion } from "@quire/pdf-libreoffice";
import type { Machine } from "../report/results.ts";
import { accountKind } from "./account/open-account.ts";
import { measureBatch } from "./batch.ts";
import { PDF_SCENARIOS } from "./documents.ts";
import { LISTENER, ONE_LANE, PEERS } from "./peers/all.ts";
import type { PdfResults, PdfSettings } from "./results.ts";
import { measureScenario } from "./rounds.ts";
import { measureSeries } from "./series.ts";
import type { Surroundings } from "./session.ts";

/** The path of an in-memory file system on Linux. */
const IN_MEMORY = "/dev/shm";
const BATCHES = ["letter", "invoice"];

/** The names of the parts on the command line. */
export const PDF_PARTS: readonly string[] = [
  ...PDF_SCENARIOS.map(({ scenario }) => scenario.name),
  "batch",
  "series",
];

/** Options of {@link measurePdf}. */
export interface PdfRun {
  readonly settings: PdfSettings;
  readonly machine: Machine;
  /** The names of the parts to measure; empty for all. */
  readonly only: ReadonlySet<string>;
  /** Runs a part and reports its duration. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Receives all results, whenever there are new ones. */
  done(results: PdfResults): Promise<void>;
}

/** Measures the conversion to PDF, one part after the other. Throws if LibreOffice is not installed. */
export async function measurePdf({
  settings,
  machine,
  only,
  step,
  done,
}: PdfRun): Promise<PdfResults> {
  const python = findPython();
  if (python === null) {
    console.log("No Python has LibreOffice's uno (Debian: python3-uno): two peers are skipped.");
  }
  const peers = PEERS.filter(({ runs }) => runs === "node" || python !== null);
  const folder = await mkdtemp(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "quire-bench-"));
  const surroundings = await surroundingsIn(folder, python);
  let results: PdfResults = {
    date: new Date().toISOString().slice(0, 10),
    machine,
    settings,
    versions: await versions(surroundings, python),
    account: accountKind(),
    scenarios: [],
    batches: [],
    series: [],
  };
  const add = async (more: Partial<PdfResults>) => {
    results = { ...results, ...more };
    await done(results);
  };
  try {
    for (const each of PDF_SCENARIOS.filter(({ scenario }) => only.has(scenario.name))) {
      const { name } = each.scenario;
      const result = await step(name, () =>
        measureScenario(each, peers, settings, surroundings, join(folder, name)),
      );
      await add({ scenarios: [...results.scenarios, result] });
    }
    if (only.has("batch")) {
      for (const each of PDF_SCENARIOS.filter(({ scenario }) => BATCHES.includes(scenario.name))) {
        const name = `batch-${each.scenario.name}`;
        const result = await step(name, () =>
          measureBatch(each, settings, surroundings, join(folder, name)),
        );
        await add({ batches: [...results.batches, result] });
      }
    }
    if (only.has("series")) {
      const compared = peers.filter((peer) => peer === LISTENER || peer === ONE_LANE);
      const series = await step("series", () =>
        measureSeries(compared, settings, surroundings, join(folder, "series")),
      );
      await add({ series });
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function surroundingsIn(folder: string, python: PythonWithUno | null): Promise<Surroundings> {
  if (process.platform !== "linux") throw new Error("The PDF benchmarks run on Linux only.");
  const soffice = await findSoffice();
  if (soffice === null) throw new Error(`The PDF benchmarks need LibreOffice. ${INSTALL_HINT}`);
  const temp = join(folder, "temp");
  await mkdir(temp);
  return { temp, soffice, python: python?.command ?? null };
}

interface PythonWithUno {
  readonly command: string;
  readonly version: string;
}

/**
 * Returns the first Python that has LibreOffice's `uno`, which is often only the system's Python; null if there is
 * none.
 */
function findPython(): PythonWithUno | null {
  const source = "import uno, platform; print(platform.python_version())";
  for (const command of ["python3", "/usr/bin/python3"]) {
    const { status, stdout } = spawnSync(command, ["-c", source], { encoding: "utf8" });
    if (status === 0) return { command, version: stdout.trim() };
  }
  return null;
}

async function versions(
  { soffice }: Surroundings,
  python: PythonWithUno | null,
): Promise<PdfResults["versions"]> {
  const entry = import.meta.resolve("libreoffice-convert");
  const manifest: { readonly version: string } = JSON.parse(
    await readFile(new URL("package.json", entry), "utf8"),
  );
  return {
    LibreOffice: await sofficeVersion(soffice),
    "libreoffice-convert": manifest.version,
    "Python with LibreOffice's uno": python?.version ?? null,
  };
}
