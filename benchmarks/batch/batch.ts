import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { docxtemplater } from "../engines/docxtemplater.ts";
import { quire } from "../engines/quire.ts";
import { documentText } from "../measure/document-text.ts";
import { runTask } from "../measure/run-task.ts";
import { spreadOf } from "../measure/statistics.ts";
import type { BatchCost } from "../measure/task.ts";
import type { Workspace } from "../measure/workspace.ts";
import type { BatchResult, Settings } from "../report/results.ts";
import { invoice } from "../scenarios/invoice.ts";

const WAYS = [
  { how: "loop", title: "docxtemplater in a loop, writeFile", engine: docxtemplater },
  { how: "engine", title: "Quire's engine, @quire/storage-fs", engine: quire("small") },
] as const;

/** Measures how fast Quire's engine and a loop around docxtemplater create the same invoices as files. */
export async function measureBatches(
  { batchDocuments: documents, batchRounds }: Settings,
  workspace: Workspace,
): Promise<BatchResult> {
  let texts: string | null = null;
  const costs = WAYS.map((): BatchCost[] => []);
  for (let round = 0; round < batchRounds; round++) {
    for (const [index, { how, title, engine }] of WAYS.entries()) {
      const folder = await workspace.folder("batch");
      await mkdir(join(folder, "out"));
      const files = await workspace.filesFor(invoice, engine);
      await cp(files.template, join(folder, "template.docx"));
      await cp(files.data, join(folder, "data.json"));
      costs[index]?.push(await runTask({ task: "batch", how, documents, folder }));
      const said = await firstAndLast(join(folder, "out"), documents);
      texts ??= said;
      if (said !== texts) {
        throw new Error(`In the batch, the documents of '${title}' and '${WAYS[0].title}' differ.`);
      }
      await rm(folder, { recursive: true });
    }
  }
  const [baseline] = costs;
  return {
    documents,
    lines: WAYS.map(({ title }, index) => {
      const own = costs[index] ?? [];
      return {
        how: title,
        cpuMs: spreadOf(own.map(({ cpuMs }) => cpuMs / documents)),
        wallMs: spreadOf(own.map(({ wallMs }) => wallMs / documents)),
        peakMb: spreadOf(own.map(({ peakMb }) => peakMb)),
        ratio: spreadOf(own.map(({ cpuMs }, at) => (baseline?.[at]?.cpuMs ?? Number.NaN) / cpuMs)),
      };
    }),
  };
}

/** Returns the text of the first and the last file. Throws if the number of files is wrong. */
async function firstAndLast(folder: string, documents: number): Promise<string> {
  const names = (await readdir(folder)).toSorted();
  if (names.length !== documents) {
    throw new Error(`The batch has ${names.length} files instead of ${documents}.`);
  }
  const chosen = [names[0], names.at(-1)].filter((name) => name !== undefined);
  const files = await Promise.all(chosen.map((name) => readFile(join(folder, name))));
  return files.flatMap(documentText).join("\n");
}
