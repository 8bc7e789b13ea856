import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spreadOf } from "../measure/statistics.ts";
import { docxTemplate } from "../word/docx.ts";
import type { BatchAnswer, BatchRequest, BatchTask } from "./batch-task.ts";
import { checkPdf, readPdf } from "./check-pdf.ts";
import { type PdfScenario, textsOf, writeDocuments } from "./documents.ts";
import { LIBREOFFICE_CONVERT } from "./peers/all.ts";
import type { PdfBatchResult, PdfSettings } from "./results.ts";
import { measureWindow, openPeer, openSession, type Surroundings } from "./session.ts";

const PROGRAM = fileURLToPath(new URL("batch-child.ts", import.meta.url));
/** Number of PDFs to check after a batch. They are spread over the whole batch. */
const CHECKED = 20;

/** The cost per document. */
interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
}

/** Measures batches of the engine. Before each batch, some of its documents are converted with libreoffice-convert. */
export async function measureBatch(
  pdfScenario: PdfScenario,
  settings: PdfSettings,
  surroundings: Surroundings,
  folder: string,
): Promise<PdfBatchResult> {
  await mkdir(folder);
  const { scenario, syntax } = pdfScenario;
  const { batchDocuments: documents, batchRounds, fewest, windowMs } = settings;
  // All documents differ, because equal documents would be converted only once.
  const sets = Array.from({ length: documents }, (_, index) => scenario.data(index));
  const task: BatchTask = {
    template: join(folder, "template.docx"),
    data: join(folder, "data.json"),
  };
  await writeFile(task.template, docxTemplate(scenario.template, syntax));
  await writeFile(task.data, JSON.stringify(sets));
  const files = await writeDocuments(pdfScenario, join(folder, "documents"));
  const single: Cost[] = [];
  const batches: Cost[] = [];
  for (let round = 0; round < batchRounds; round++) {
    const own = join(folder, `round-${round}`);
    await mkdir(own);
    const one = openPeer(LIBREOFFICE_CONVERT, surroundings, { documents: files, folder: own });
    try {
      await measureWindow(one, { from: 0, fewest: 1, windowMs: 0 });
      single.push(await measureWindow(one, { from: round * fewest, fewest, windowMs }));
    } finally {
      await one.close();
    }
    batches.push(await runBatch(task, surroundings, own, scenario.title, documents, textsOfEntry));
    await rm(own, { recursive: true });
  }
  return {
    title: scenario.title,
    documents,
    lines: [
      lineOf("libreoffice-convert, one by one", single, single),
      lineOf("Quire's engine", batches, single),
    ],
  };

  function textsOfEntry(entry: number): string[] {
    return textsOf(sets[entry]);
  }
}

async function runBatch(
  task: BatchTask,
  { temp }: Surroundings,
  folder: string,
  title: string,
  documents: number,
  textsOfEntry: (entry: number) => readonly string[],
): Promise<Cost> {
  const name = `The batch of '${title}'`;
  const command = [PROGRAM, JSON.stringify(task)];
  const session = openSession<BatchRequest>(name, process.execPath, command, temp);
  try {
    const { answer, cpuMs, peakMb } = await session.ask<BatchAnswer>({ do: "run" });
    const step = Math.max(1, Math.floor((documents - 1) / (CHECKED - 1)));
    const entries = Array.from({ length: documents }, (_, entry) => entry).filter(
      (entry) => entry % step === 0,
    );
    await session.ask({ do: "write", entries, folder });
    for (const entry of entries) {
      const pdf = await readPdf(join(folder, `${entry}.pdf`));
      checkPdf(pdf, { texts: textsOfEntry(entry), pages: 1 }, `entry ${entry} of the batch`);
    }
    return { cpuMs: cpuMs / documents, wallMs: answer.wallMs / documents, peakMb };
  } finally {
    await session.close();
  }
}

function lineOf(how: string, own: readonly Cost[], baseline: readonly Cost[]) {
  return {
    how,
    cpuMs: spreadOf(own.map(({ cpuMs }) => cpuMs)),
    wallMs: spreadOf(own.map(({ wallMs }) => wallMs)),
    ratio: spreadOf(own.map(({ cpuMs }, round) => (baseline[round]?.cpuMs ?? Number.NaN) / cpuMs)),
    peakMb: Math.max(...own.map(({ peakMb }) => peakMb)),
  };
}
