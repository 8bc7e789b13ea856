/**
 * `npm run demo`: makes 25 invoices as PDF with the CLI, as a user would, and checks that each file exists. Each run
 * makes a new folder.
 */
import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = "out/demo";
const invoices = 25;

const command = [
  "packages/cli/bin/quire.js",
  "run",
  "examples/templates/invoice.docx",
  "--data",
  "examples/data/invoices.json",
  "--to",
  "pdf",
  "--out",
  out,
  "--name",
  "{{invoice.number}}",
];

for (const old of [out, `${out}.quire.db`]) {
  await rm(new URL(`../${old}`, import.meta.url), { recursive: true, force: true });
}
console.log("quire run examples/templates/invoice.docx --data examples/data/invoices.json \\");
console.log(`  --to pdf --out ${out} --name '{{invoice.number}}'`);

const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });

const made = (await readdir(`${root}${out}`).catch(() => [])).filter((name) =>
  name.endsWith(".pdf"),
);
if (status === 0 && made.length === invoices) {
  console.log(`The ${invoices} invoices are in ${root}${out}`);
} else {
  console.error(`The demo made ${made.length} of ${invoices} invoices (exit code ${status}).`);
  process.exitCode = status === 0 ? 1 : (status ?? 1);
}
