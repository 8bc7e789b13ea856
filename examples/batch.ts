/** A batch: makes 25 invoices from one template in a folder, and reports each job as it ends. */
import { cp, mkdir, readFile } from "node:fs/promises";
import { createEngine } from "@quire/core";
import { fsStorage } from "@quire/storage-fs";

const folder = new URL("./", import.meta.url);
await mkdir("files/out", { recursive: true });
await cp(new URL("templates/invoice.docx", folder), "files/invoice.docx");
const invoices = JSON.parse(await readFile(new URL("data/invoices.json", folder), "utf8"));

const engine = createEngine({ storage: fsStorage({ root: "files" }) });

const batch = await engine.createBatch({
  file: { type: "file", id: "invoice.docx" },
  input_source: "api",
  destination_folder: { type: "folder", id: "out" },
  output_type: "docx",
  document_generation_data: invoices, // the name, the locale and the data of each invoice
});

for await (const job of engine.jobs(batch.id)) {
  console.log(job.entry, job.status, job.outputFile?.name, ...job.errors.map((e) => e.message));
}

await engine.close();
