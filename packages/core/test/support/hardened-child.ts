import { createHash } from "node:crypto";
import { randomTemplate, SPLIT_DATA, written } from "../../../docx/test/support/split-template.ts";
import { wordFile } from "../../../docx/test/support/word-file.ts";
import { p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate, compileText, createEngine, isQuireError } from "../../src/index.ts";
import { all, entry, place, request } from "./engine.ts";

/** The results of running as much of the core as one process can. The program prints them at its end. */
const results: string[] = [];

async function rendered(body: string, data: Record<string, unknown>): Promise<string> {
  try {
    const { bytes, warnings } = (await compileTemplate(wordFile({ body }))).render(data);
    return `${createHash("sha256").update(bytes).digest("hex")} ${JSON.stringify(warnings)}`;
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return `${error.code} ${JSON.stringify(error.diagnostics)}`;
  }
}

for (let seed = 0; seed < 60; seed++) {
  const body = randomTemplate(seed, 20)
    .map((strip) => written(strip, null))
    .join("");
  results.push(await rendered(`${body}<w:p/>`, SPLIT_DATA));
}

const hostile: Record<string, unknown> = JSON.parse(
  '{"__proto__":{"a":1},"constructor":{"prototype":{"x":1}},"l":[{"__proto__":2}]}',
);
for (const path of [
  "__proto__.a",
  "__proto__",
  "constructor.constructor",
  "l[0].__proto__",
  "toString",
  "x.__proto__.y",
  "l.__proto__",
  'this["__proto__"].a',
]) {
  results.push(await rendered(p(`{{${path}}}`), hostile));
}
results.push(
  await rendered(p('{{h :: html}}{{m :: markdown}}{{q :: qrcode}}{{u :: link("x")}}'), {
    h: "<b>x</b>",
    m: "*x*",
    q: "q",
    u: "https://example.com/",
  }),
);
results.push(compileText("{{a}}-{{b :: uppercase}}").render({ a: 1, b: "x" }));

const engine = createEngine({ storage: place() });
const entries = [entry("one"), entry("two", {}), entry("three", { name: {} })];
const batch = await engine.createBatch(request(entries));
for (const job of await all(engine.jobs(batch.id)))
  results.push(`${job.status} ${job.errors.length} ${job.warnings.length}`);
await engine.close();
process.stdout.write(JSON.stringify(results));
