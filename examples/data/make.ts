// Writes the invoices in this folder: `node examples/data/make.ts`. The seed is fixed and all sums are whole cents, so
// another run does not change the files. The other data files are written by hand.

import { writeFile } from "node:fs/promises";
import { invoices } from "./make/invoices.ts";

const entries = invoices(20260105);

const file = (name: string) => new URL(name, import.meta.url);
await writeFile(file("invoices.json"), `${JSON.stringify(entries, null, 2)}\n`);
await writeFile(
  file("invoices.jsonl"),
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
);
