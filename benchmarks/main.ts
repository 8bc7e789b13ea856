/**
 * `npm run bench`: what compiling once is worth, and whether memory grows with a batch. Figures are
 * medians of interleaved rounds within one process run; read the ratios, not the times.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileTemplate, type RenderData } from "@quire/core";

const EXAMPLES = new URL("../examples/", import.meta.url);
const ROUNDS = 15;

await renderTimes();
await batchMemory();

/** CPU time of a document: compiled once and rendered, against compiled for each document. */
async function renderTimes(): Promise<void> {
  console.log("template    compile+render ms   render ms   ratio");
  for (const name of ["letter", "invoice", "contract"]) {
    const bytes = await readFile(new URL(`templates/${name}.docx`, EXAMPLES));
    const data = await sampleData(name);
    const compiled = await compileTemplate(bytes);
    const each: number[] = [];
    const once: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      each.push(await cpuMs(async () => (await compileTemplate(bytes)).render(data)));
      once.push(await cpuMs(async () => compiled.render(data)));
    }
    const [a, b] = [median(each), median(once)];
    console.log(
      `${name.padEnd(12)}${a.toFixed(2).padStart(17)}${b.toFixed(2).padStart(12)}${(a / b).toFixed(1).padStart(8)}`,
    );
  }
}

/** Peak resident memory of the command line over batches of growing size. */
async function batchMemory(): Promise<void> {
  console.log("\nentries   peak RSS MB (docx through quire run)");
  for (const entries of [100, 1000, 10_000]) {
    const folder = await mkdtemp(join(tmpdir(), "quire-bench-"));
    try {
      const data = join(folder, "data.jsonl");
      const line = JSON.stringify(await sampleData("invoice"));
      await writeFile(data, `${line}\n`.repeat(entries));
      console.log(
        `${String(entries).padStart(7)}   ${peakMb(data, join(folder, "out")).toFixed(0)}`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

function peakMb(data: string, out: string): number {
  const report = 'process.on("exit", () => console.log("peak", process.resourceUsage().maxRSS))';
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(report)}`,
      fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url)),
      "run",
      fileURLToPath(new URL("templates/invoice.docx", EXAMPLES)),
      ...["--data", data, "--to", "docx", "--out", out],
    ],
    { encoding: "utf8" },
  );
  const kilobytes = /^peak (\d+)$/m.exec(stdout)?.[1];
  if (status !== 0 || kilobytes === undefined) throw new Error(stderr);
  return Number(kilobytes) / 1024;
}

async function sampleData(name: string): Promise<RenderData> {
  const file = name === "invoice" ? "invoices" : name;
  const data: unknown = JSON.parse(await readFile(new URL(`data/${file}.json`, EXAMPLES), "utf8"));
  return (Array.isArray(data) ? data[0] : data) as RenderData;
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
