import { carbone } from "../engines/carbone.ts";
import { docxtemplater } from "../engines/docxtemplater.ts";
import type { Engine } from "../engines/engine.ts";
import { quire } from "../engines/quire.ts";
import { runWithin } from "../measure/run-task.ts";
import type { Runner } from "../measure/start-process.ts";
import type { Workspace } from "../measure/workspace.ts";
import type { Curve, CurvePoint, Settings } from "../report/results.ts";
import { letter } from "../scenarios/letter.ts";
import { rows } from "../scenarios/rows.ts";

const COMPARED: readonly Engine[] = [docxtemplater, carbone, quire("fast"), quire("template")];

/** Powers of ten, and one value between the last two, where most engines reach their limits. */
const ROWS = [10, 100, 1_000, 10_000, 100_000, 200_000, 1_000_000];
const DOCUMENTS = [1, 10, 100, 1_000, 10_000, 100_000];

/** Measures how time and memory grow with the rows of a document and with the number of documents. */
export async function measureGrowth(settings: Settings, workspace: Workspace): Promise<Curve[]> {
  const rowCounts = ROWS.filter((count) => count <= settings.mostRows);
  const documentCounts = DOCUMENTS.filter((count) => count <= settings.mostDocuments);
  const curves: Curve[] = [];
  for (const engine of COMPARED) {
    curves.push(await curve("rows", engine, rowCounts, settings, workspace));
  }
  for (const engine of COMPARED) {
    curves.push(await curve("documents", engine, documentCounts, settings, workspace));
  }
  return curves;
}

/** Measures each size in a separate process, until a process exceeds the limits. */
async function curve(
  over: Curve["over"],
  engine: Engine,
  sizes: readonly number[],
  { longestSeconds, largestMb, warmUpMs }: Settings,
  workspace: Workspace,
): Promise<Curve> {
  const scenario = over === "rows" ? rows : letter;
  const files = await workspace.filesFor(scenario, engine);
  // The heap may grow up to the memory limit of the process.
  const runner: Runner = { node: [`--max-old-space-size=${largestMb}`] };
  const bounds = { ms: longestSeconds * 1_000, mb: largestMb };
  const points: CurvePoint[] = [];
  for (const size of sizes) {
    const ending = await runWithin(
      over === "rows"
        ? { task: "rows", engine: engine.name, template: files.template, rows: size, warmUpMs }
        : { task: "series", engine: engine.name, ...files, documents: size },
      runner,
      bounds,
    );
    if (ending.ended !== "done") {
      const why = {
        "too-long": `it takes more than ${longestSeconds} seconds`,
        "too-large": `it takes more than ${largestMb / 1_000} GB`,
        failed: ending.ended === "failed" ? ending.why : "",
      }[ending.ended];
      return { over, engine: engine.title, points, stopped: { at: size, why } };
    }
    points.push({ size, ...ending.result });
  }
  return { over, engine: engine.title, points, stopped: null };
}
