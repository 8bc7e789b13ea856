/** A process that creates one batch of PDFs with Quire's engine. The time includes all preparation. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Failure } from "../measure/task.ts";
import type { Data } from "../scenarios/scenario.ts";
import type { BatchAnswer, BatchRequest, BatchTask } from "./batch-task.ts";

const task: BatchTask = JSON.parse(process.argv[2] ?? "");

try {
  const template = await readFile(task.template);
  const sets: Data[] = JSON.parse(await readFile(task.data, "utf8"));
  let read: ((name: string) => Promise<Uint8Array>) | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    const request: BatchRequest = JSON.parse(line);
    if (request.do === "run") {
      const begun = performance.now();
      read = await makeBatch(template, sets);
      const answer: BatchAnswer = { wallMs: performance.now() - begun };
      console.log(JSON.stringify(answer));
    } else {
      for (const entry of request.entries) {
        const bytes = await read?.(fileName(entry));
        if (bytes !== undefined) await writeFile(join(request.folder, `${entry}.pdf`), bytes);
      }
      console.log("null");
    }
  }
} catch (error) {
  const failure: Failure = { failed: error instanceof Error ? error.message : String(error) };
  console.log(JSON.stringify(failure));
}

/** Creates the batch and waits until all processes of Quire have ended. Returns a function that reads the PDFs. */
async function makeBatch(
  template: Uint8Array,
  sets: readonly Data[],
): Promise<(name: string) => Promise<Uint8Array>> {
  const { createEngine, memoryStorage } = await import("@quire/core");
  const { libreOffice } = await import("@quire/pdf-libreoffice");
  const storage = memoryStorage({ files: { "template.docx": template }, folders: ["out"] });
  const engine = createEngine({ storage, converter: libreOffice({ join: "auto" }) });
  const problems: string[] = [];
  try {
    const batch = await engine.createBatch({
      file: { type: "file", id: "template.docx" },
      input_source: "api",
      destination_folder: { type: "folder", id: "out" },
      output_type: "pdf",
      document_generation_data: sets.map((set, index) => ({
        generated_file_name: fileName(index),
        user_input: set,
      })),
    });
    for await (const { status, failure } of engine.jobs(batch.id)) {
      if (status !== "completed") problems.push(failure?.message ?? status);
    }
  } finally {
    await engine.close();
  }
  if (problems.length > 0) {
    throw new Error(`${problems.length} of ${sets.length} jobs failed. ${problems[0]}`);
  }
  return async (name) => (await storage.read({ type: "file", id: `out/${name}` })).bytes;
}

function fileName(entry: number): string {
  return `${String(entry + 1).padStart(6, "0")}.pdf`;
}
