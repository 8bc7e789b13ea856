import { createHash } from "node:crypto";
import { compileTemplate } from "../../src/index.ts";
import { everything } from "./everything.ts";

/** Renders each entry with two sets of options in the requested order. Prints digests in the order of entries. */
const { file, data } = everything();
const template = await compileTemplate(file);
const jobs = data.flatMap((entry, index) =>
  [{}, { locale: "de-DE", timeZone: "Europe/Berlin", onMissing: "blank" as const }].map(
    (options) => ({ entry, index, options }),
  ),
);
const digests: string[] = [];
const order = process.argv[2] === "backward" ? jobs.toReversed() : jobs;
for (const job of order) {
  const { bytes, warnings } = template.render(job.entry, job.options);
  const hash = createHash("sha256").update(bytes).digest("hex");
  digests[jobs.indexOf(job)] =
    `${hash} ${createHash("sha256").update(JSON.stringify(warnings)).digest("hex")}`;
}
process.stdout.write(`${digests.join("\n")}\n`);
