import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { engineNamed } from "../engines/all.ts";
import type { Render, Renderer } from "../engines/engine.ts";
import { leanRows } from "../scenarios/rows.ts";
import type { Data } from "../scenarios/scenario.ts";
import { type Cost, measured, peakMb, residentMb } from "./meter.ts";
import type { DocumentsTask, GrowthPoint, RowsTask, SeriesTask, Speed, SpeedTask } from "./task.ts";

/** Warm-up time in milliseconds after a process has waited for the others. */
const AGAIN_WARM_MS = 100;
/** Number of rows in the documents that warm up a process before the measurement. */
const WARM_UP_ROWS = 100;
/** Minimum duration of a measurement in milliseconds. Faster documents are rendered several times. */
const SHORTEST_MS = 300;

/** Writes documents whose texts are then compared. */
export async function writeDocuments(task: DocumentsTask): Promise<null> {
  const { render, sets } = await ready(task);
  for (const [index, set] of sets.slice(0, task.count).entries()) {
    await writeFile(join(task.folder, `${index}.docx`), await render(set));
  }
  return null;
}

/** Warms up. Returns a function that measures the time per document. */
export async function prepareSpeed(task: SpeedTask): Promise<() => Promise<Speed>> {
  const { render, sets } = await ready(task);
  await repeat(render, sets, untilBusyFor(task.warmUpMs));
  return async () => {
    await repeat(render, sets, untilBusyFor(AGAIN_WARM_MS));
    let documents = 0;
    const { cpuMs } = await measured(async () => {
      const end = performance.now() + task.windowMs;
      documents = await repeat(
        render,
        sets,
        (made) => made < task.fewest || performance.now() < end,
      );
    });
    return { documents, cpuMs: cpuMs / documents, peakMb: peakMb() };
  };
}

/** Measures one document with many rows. */
export async function measureRows(task: RowsTask): Promise<GrowthPoint> {
  const renderer = await rendererOf(task.engine);
  const render = await renderer.open(await readFile(task.template), task.template);
  const small = [renderer.adapt(leanRows(WARM_UP_ROWS))];
  await repeat(render, small, untilBusyFor(task.warmUpMs));
  const data = renderer.adapt(leanRows(task.rows));
  const beforeMb = residentMb();
  let bytes = 0;
  let documents = 0;
  const start = performance.now();
  const cost = await measured(async () => {
    do {
      bytes = (await render(data)).length;
      documents += 1;
    } while (performance.now() - start < SHORTEST_MS);
  });
  return { ...perDocument(cost, documents), beforeMb, peakMb: peakMb(), bytes };
}

/** Measures consecutive documents, beginning with reading the template. */
export async function measureSeries(task: SeriesTask): Promise<GrowthPoint> {
  const renderer = await rendererOf(task.engine);
  const sets = (await dataSets(task.data)).map((set) => renderer.adapt(set));
  const template = await readFile(task.template);
  const beforeMb = residentMb();
  let bytes = 0;
  const cost = await measured(async () => {
    const render = await renderer.open(template, task.template);
    for (let made = 0; made < task.documents; made++) {
      bytes = (await render(setFor(sets, made))).length;
    }
  });
  return { ...cost, beforeMb, peakMb: peakMb(), bytes };
}

/** Returns the data sets in a file. */
export async function dataSets(file: string): Promise<Data[]> {
  const sets: Data[] = JSON.parse(await readFile(file, "utf8"));
  return sets;
}

/** Returns the data set for a document. The data sets are used in turn. */
export function setFor(sets: readonly Data[], document: number): Data {
  const set = sets[document % sets.length];
  if (set === undefined) throw new Error("The list of data sets is empty.");
  return set;
}

async function ready({ engine, template, data }: SpeedTask | DocumentsTask): Promise<{
  readonly render: Render;
  readonly sets: readonly Data[];
}> {
  const renderer = await rendererOf(engine);
  return {
    render: await renderer.open(await readFile(template), template),
    sets: (await dataSets(data)).map((set) => renderer.adapt(set)),
  };
}

async function rendererOf(name: string): Promise<Renderer> {
  const { load } = engineNamed(name);
  if (load === null) throw new Error(`'${name}' does not run in Node.`);
  return load();
}

/** Renders documents for as long as a condition on their number holds. Returns the number. */
async function repeat(
  render: Render,
  sets: readonly Data[],
  goOn: (made: number) => boolean,
): Promise<number> {
  let made = 0;
  for (; goOn(made); made++) {
    const bytes = render(setFor(sets, made));
    // Awaiting takes a small part of a document's time, so only promises are awaited.
    if (!(bytes instanceof Uint8Array)) await bytes;
  }
  return made;
}

/** Returns a condition that holds until this process has used the given CPU time. */
function untilBusyFor(ms: number): () => boolean {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000 < ms;
  };
}

function perDocument({ cpuMs, wallMs }: Cost, documents: number): Cost {
  return { cpuMs: cpuMs / documents, wallMs: wallMs / documents };
}
