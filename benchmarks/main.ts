/**
 * `npm run bench` compares Quire with other engines; with `--pdf`, it compares ways to create PDFs. It writes
 * docs/benchmarks.md. `npm run bench -- --help` lists the options. `report/page.ts` and `report/pdf-page.ts` describe
 * what is measured and how.
 */
import { readFile } from "node:fs/promises";
import { measureBatches } from "./batch/batch.ts";
import { ENGINES, enginesFor } from "./engines/all.ts";
import { findDocxtpl, type PythonWithDocxtpl } from "./engines/docxtpl.ts";
import type { Engine } from "./engines/engine.ts";
import { measureGrowth } from "./growth/growth.ts";
import { machine, today } from "./measure/machine.ts";
import { measureScenario } from "./measure/rounds.ts";
import { PLAIN_NODE, type Runner } from "./measure/start-process.ts";
import { createWorkspace } from "./measure/workspace.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import type { PdfResults } from "./pdf/results.ts";
import { measurePdf } from "./pdf/run.ts";
import { aimsTable } from "./report/pdf-sections.ts";
import type { Report } from "./report/report.ts";
import type { Results, Settings } from "./report/results.ts";
import { summary } from "./report/sections.ts";
import { KEPT, PASSING, readResults, writeReport } from "./report/write-report.ts";
import { SCENARIOS } from "./scenarios/all.ts";

const options = readOptions(process.argv.slice(2));
if (options === null) {
  console.log(HELP);
} else if (options.reportOnly) {
  await writeReport(await readResults(KEPT), KEPT);
} else {
  const places = options.complete ? KEPT : PASSING;
  const measured = options.pdf ? await measureConversion(options) : await measureRendering(options);
  if (options.complete) await writeReport(measured, KEPT);
  const { rendering, pdf } = measured;
  const scenarios = options.pdf ? pdf?.scenarios : rendering?.scenarios;
  if (scenarios !== undefined && scenarios.length > 0) console.log(`\n${summary(scenarios)}\n`);
  if (options.pdf && pdf !== null) console.log(`${aimsTable(pdf)}\n`);
  console.log(`Written: ${relative(places.page)}`);
}

/** Measures the conversion to PDF. For everything else, the page shows the latest results that were kept. */
async function measureConversion({ pdfSettings, only }: Options): Promise<Report> {
  const kept = await readResults(KEPT);
  const done = (pdf: PdfResults) => writeReport({ ...kept, pdf }, PASSING);
  const pdf = await measurePdf({ settings: pdfSettings, machine: machine(), only, step, done });
  return { ...kept, pdf };
}

/** Measures one part after the other. Writes the results after each part, so that a long run can be interrupted. */
async function measureRendering({ settings, only }: Options): Promise<Report> {
  await using workspace = await createWorkspace();
  const kept = await readResults(KEPT);
  const python = findDocxtpl();
  if (python === null) console.log("docxtpl is not installed for python3, so it is skipped.");
  const engines = ENGINES.filter(({ load }) => load !== null || python !== null);
  const runnerOf = ({ load }: Engine): Runner =>
    load === null && python !== null ? { python: python.command } : PLAIN_NODE;
  let results: Results = await nothingYet(settings, python);
  const done = async (more: Partial<Results>) => {
    results = { ...results, ...more };
    await writeReport({ ...kept, rendering: results }, PASSING);
  };
  for (const scenario of SCENARIOS.filter(({ name }) => only.has(name))) {
    const able = enginesFor(scenario, engines);
    const result = await step(scenario.name, () =>
      measureScenario(scenario, able, settings, runnerOf, workspace),
    );
    await done({ scenarios: [...results.scenarios, result] });
  }
  if (only.has("growth")) {
    await done({ growth: await step("growth", () => measureGrowth(settings, workspace)) });
  }
  if (only.has("batch")) {
    await done({ batch: await step("batch", () => measureBatches(settings, workspace)) });
  }
  return { ...kept, rendering: results };
}

async function nothingYet(settings: Settings, python: PythonWithDocxtpl | null): Promise<Results> {
  return {
    date: today(),
    machine: machine(),
    settings,
    versions: await versions(python),
    scenarios: [],
    growth: [],
    batch: null,
  };
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  console.log(`${name}: ${Math.round((performance.now() - begun) / 1_000)} s`);
  return result;
}

type Versions = Readonly<Record<string, string>>;

/**
 * Returns the versions of the engines. The other engines are pinned in package.json; Quire is the one in this
 * repository.
 */
async function versions(python: PythonWithDocxtpl | null): Promise<Results["versions"]> {
  const manifest: Readonly<Record<"dependencies" | "devDependencies", Versions>> = JSON.parse(
    await readFile(new URL("package.json", import.meta.url), "utf8"),
  );
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  const pinned = (name: string) => all[name] ?? "";
  return {
    docxtemplater: `${pinned("docxtemplater")} with pizzip ${pinned("pizzip")}`,
    "easy-template-x": pinned("easy-template-x"),
    "docx-templates": pinned("docx-templates"),
    "Carbone CE": pinned("carbone"),
    docxtpl: python?.version ?? null,
    Quire: pinned("@quire/core").replace("^", ""),
  };
}

function relative(file: URL): string {
  const root = new URL("../", import.meta.url);
  return file.href.replace(root.href, "");
}
