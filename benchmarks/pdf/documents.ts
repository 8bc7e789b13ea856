import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileTemplate } from "@quire/core";
import { contractOf } from "../scenarios/contract.ts";
import { invoice } from "../scenarios/invoice.ts";
import { letter } from "../scenarios/letter.ts";
import { isImageValue, type Scenario, withImages } from "../scenarios/scenario.ts";
import { docxTemplate } from "../word/docx.ts";
import { QUIRE, type Syntax } from "../word/syntax.ts";
import { photos, WIDE_PICTURES } from "./photos.ts";

/** Documents to convert. Quire renders them from a scenario. */
export interface PdfScenario {
  readonly scenario: Scenario;
  readonly syntax: Syntax;
  /** Number of different documents. They are converted in turn. */
  readonly documents: number;
}

/** Number of sections that fill 30 pages. */
const CONTRACT_SECTIONS = 17;

/** The scenarios, in the order of the results page. */
export const PDF_SCENARIOS: readonly PdfScenario[] = [
  { scenario: letter, syntax: QUIRE, documents: 64 },
  { scenario: invoice, syntax: QUIRE, documents: 64 },
  { scenario: contractOf(CONTRACT_SECTIONS, "30 pages"), syntax: QUIRE, documents: 16 },
  { scenario: photos, syntax: WIDE_PICTURES, documents: photos.dataSets },
];

/** Writes the documents of a scenario into a new folder. Returns their paths. */
export async function writeDocuments(
  { scenario, syntax, documents }: PdfScenario,
  folder: string,
): Promise<string[]> {
  await mkdir(folder);
  const template = await compileTemplate(docxTemplate(scenario.template, syntax));
  const files: string[] = [];
  for (let index = 0; index < documents; index++) {
    const data = withImages(scenario.data(index), ({ pngBase64 }) => pngBase64);
    const file = join(folder, `${index}.docx`);
    await writeFile(file, template.render(data).bytes);
    files.push(file);
  }
  return files;
}

/** Returns all texts in the data of a document. Each of them must be in the PDF. */
export function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || isImageValue(value)) return [];
  return Object.values(value).flatMap(textsOf);
}
