/**
 * Renders templates with another engine, for `from-other-engines.test.ts`. This runs in a separate process, because
 * several engines compile code from strings, which is not allowed in tests. Reads a {@link Work} from its input, and
 * prints the text of each document as JSON.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { engineNamed } from "../../../benchmarks/engines/all.ts";
import { documentText } from "../../../benchmarks/measure/document-text.ts";
import type { Data } from "../../../benchmarks/scenarios/scenario.ts";

/** Templates for an engine of the benchmarks, and the data for all of them. */
export interface Work {
  readonly engine: string;
  /** The bytes of the templates in base64. */
  readonly templates: readonly string[];
  readonly data: Data;
}

/** The non-empty paragraphs of a document, or the engine's error. */
export type Outcome = readonly string[] | { readonly error: string };

const { engine, templates, data }: Work = JSON.parse(await text(process.stdin));
const renderer = await engineNamed(engine).load?.();
if (renderer === undefined) throw new Error(`'${engine}' does not run in Node.`);
const folder = await mkdtemp(join(tmpdir(), "quire-other-engine-"));
const file = join(folder, "template.docx");
const outcomes: Outcome[] = [];
for (const base64 of templates) {
  try {
    const template = Buffer.from(base64, "base64");
    await writeFile(file, template);
    const render = await renderer.open(template, file);
    outcomes.push(documentText(await render(data)));
  } catch (error) {
    outcomes.push({ error: String(error) });
  }
}
await rm(folder, { recursive: true });
console.log(JSON.stringify(outcomes));
