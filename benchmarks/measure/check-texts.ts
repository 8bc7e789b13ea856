import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../engines/engine.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { documentText, pictureCount } from "./document-text.ts";
import { runTask } from "./run-task.ts";
import type { Runner } from "./start-process.ts";
import type { Workspace } from "./workspace.ts";

/** The mean size of each engine's documents in bytes. */
export type Sizes = ReadonlyMap<string, number>;

/**
 * Renders documents of the first data sets with every engine and compares their text, paragraph by paragraph. Throws at
 * the first difference, because engines that render different documents must not be compared.
 */
export async function checkTexts(
  scenario: Scenario,
  engines: readonly Engine[],
  compared: number,
  runnerOf: (engine: Engine) => Runner,
  workspace: Workspace,
): Promise<Sizes> {
  const count = Math.min(compared, scenario.dataSets);
  const sizes = new Map<string, number>();
  let reference: readonly Content[] | null = null;
  for (const engine of engines) {
    const folder = await workspace.folder("documents");
    const files = await workspace.filesFor(scenario, engine);
    await runTask(
      { task: "documents", engine: engine.name, ...files, folder, count },
      runnerOf(engine),
    );
    const documents = await Promise.all(
      Array.from({ length: count }, (_, index) => readFile(join(folder, `${index}.docx`))),
    );
    sizes.set(engine.name, documents.reduce((sum, { length }) => sum + length, 0) / count);
    const contents = documents.map(contentOf);
    reference ??= contents;
    for (const [index, content] of contents.entries()) {
      const difference = firstDifference(reference[index], content);
      if (difference !== null) {
        throw new Error(
          `In '${scenario.name}', ${engine.name} and ${engines[0]?.name} differ with data set ${index}: ${difference}`,
        );
      }
    }
    mustSayTheData(scenario, contents[0], engine);
  }
  return sizes;
}

interface Content {
  readonly paragraphs: readonly string[];
  readonly pictures: number;
}

function contentOf(bytes: Uint8Array): Content {
  return { paragraphs: documentText(bytes), pictures: pictureCount(bytes) };
}

function firstDifference(expected: Content | undefined, found: Content): string | null {
  if (expected === undefined) return "there is an additional document.";
  if (expected.pictures !== found.pictures) {
    return `${found.pictures} and ${expected.pictures} pictures.`;
  }
  const longest = Math.max(expected.paragraphs.length, found.paragraphs.length);
  for (let at = 0; at < longest; at++) {
    const [a, b] = [found.paragraphs[at], expected.paragraphs[at]];
    if (a !== b) return `paragraph ${at + 1} is ${JSON.stringify(a)} and ${JSON.stringify(b)}.`;
  }
  return null;
}

/** Throws if the text lacks a value of the data. Documents that are all equally empty would also match each other. */
function mustSayTheData(scenario: Scenario, content: Content | undefined, engine: Engine): void {
  const text = content?.paragraphs.join("\n") ?? "";
  const missing = Object.values(scenario.data(0)).find(
    (value) => typeof value === "string" && !value.startsWith("<") && !text.includes(value),
  );
  if (missing !== undefined) {
    throw new Error(
      `In '${scenario.name}', the document of ${engine.name} lacks a value of the data.`,
    );
  }
}
