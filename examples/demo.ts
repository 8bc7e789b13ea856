/**
 * `npm run demo`: makes invoices as PDF with the CLI, as a user would: 25 as a batch, one in Japanese and one in
 * Hebrew. Checks that each file exists. Each run makes a new folder.
 */
import { spawnSync } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = "out/demo";
const invoices = 27;

const [templates, data] = ["examples/templates", "examples/data"];
const commands = [
  `run ${templates}/invoice.docx --data ${data}/invoices.json --to pdf --out ${out}`,
  `render ${templates}/invoice-ja.docx ${data}/invoice-ja.json --locale ja-JP -o ${out}/INV-ja.pdf`,
  `render ${templates}/invoice-he.docx ${data}/invoice-he.json --locale he-IL -o ${out}/INV-he.pdf`,
];

for (const old of [out, `${out}.quire.db`]) {
  await rm(new URL(`../${old}`, import.meta.url), { recursive: true, force: true });
}
for (const command of commands) {
  console.log(`quire ${command}`);
  const args = ["packages/cli/bin/quire.js", ...command.split(" ")];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    console.error(`The demo failed with the exit code ${status}.`);
    process.exit(status ?? 1);
  }
}

const made = (await readdir(`${root}${out}`)).filter((name) => name.endsWith(".pdf"));
if (made.length === invoices) {
  console.log(`The ${invoices} invoices are in ${root}${out}`);
} else {
  console.error(`The demo made ${made.length} of ${invoices} invoices.`);
  process.exitCode = 1;
}
