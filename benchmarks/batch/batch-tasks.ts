import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { engineNamed } from "../engines/all.ts";
import { measured, peakMb } from "../measure/meter.ts";
import type { BatchCost, BatchTask } from "../measure/task.ts";
import { dataSets, setFor } from "../measure/tasks.ts";
import type { Data } from "../scenarios/scenario.ts";

/** Creates a batch of files and measures all of it, from reading the template to writing the last file. */
export async function measureBatch(task: BatchTask): Promise<BatchCost> {
  const sets = await dataSets(join(task.folder, "data.json"));
  const make = task.how === "engine" ? await engineBatch() : await loopBatch();
  const cost = await measured(() => make(task, sets));
  return { ...cost, peakMb: peakMb() };
}

type MakeBatch = (task: BatchTask, sets: readonly Data[]) => Promise<void>;

/** Uses Quire's engine, with streamed entries. */
async function engineBatch(): Promise<MakeBatch> {
  const { createEngine } = await import("@quire/core");
  const { fsStorage } = await import("@quire/storage-fs");
  return async ({ folder, documents }, sets) => {
    await using engine = createEngine({ storage: fsStorage({ root: folder }) });
    const batch = await engine.createBatch({
      file: { type: "file", id: "template.docx" },
      input_source: "api",
      destination_folder: { type: "folder", id: "out" },
      output_type: "docx",
      document_generation_data: entries(sets, documents),
    });
    let completed = 0;
    for await (const { status } of engine.jobs(batch.id)) if (status === "completed") completed++;
    if (completed !== documents) {
      throw new Error(`Only ${completed} of ${documents} jobs of the batch were completed.`);
    }
  };
}

async function* entries(sets: readonly Data[], documents: number): AsyncIterable<unknown> {
  for (let made = 0; made < documents; made++) {
    yield { generated_file_name: fileName(made), user_input: setFor(sets, made) };
  }
}

/** Uses docxtemplater in a loop, as its users write it. */
async function loopBatch(): Promise<MakeBatch> {
  const renderer = await engineNamed("docxtemplater").load?.();
  if (renderer === undefined) throw new Error("docxtemplater does not run in Node.");
  return async ({ folder, documents }, sets) => {
    const template = join(folder, "template.docx");
    const render = await renderer.open(await readFile(template), template);
    for (let made = 0; made < documents; made++) {
      const bytes = await render(setFor(sets, made));
      await writeFile(join(folder, "out", fileName(made)), bytes);
    }
  };
}

function fileName(document: number): string {
  return `invoice-${String(document + 1).padStart(6, "0")}.docx`;
}
