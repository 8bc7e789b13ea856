import { compileTemplate, isQuireError, prepareImages, type Template } from "@quire/core";
import { measured } from "../measure/meter.ts";
import { writeZip } from "../word/zip.ts";
import { CASES, type StepCase } from "./cases.ts";

// Prints, for each kind of work, how long a document takes that uses the whole budget of steps. Measures only a
// twentieth.

const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

const PART = 20;
const BUDGET = 20_000_000;
/** Precision of the size: it is determined to within a sixteenth. */
const EXACT = 16;
const limits = { steps: BUDGET / PART };

const [only = ""] = process.argv.slice(2);
for (const each of CASES.filter(({ name }) => name.includes(only))) {
  const template = await compileTemplate(docx(each.paragraphs));
  const data = each.data(await largestWithin(template, each));
  const { cpuMs } = await measured(async () => {
    await isWithin(template, data);
  });
  const seconds = (cpuMs * PART) / 1_000;
  process.stdout.write(`${each.name.padEnd(45)} ${seconds.toFixed(1).padStart(6)} s of CPU time\n`);
}

/**
 * Returns the largest size within the budget. The time of a rejected document would not include writing its content.
 */
async function largestWithin(template: Template, { size, data }: StepCase): Promise<number> {
  let within = 1;
  let refused = size;
  while (await isWithin(template, data(refused))) {
    within = refused;
    refused *= 2;
  }
  while (refused - within > within / EXACT) {
    const middle = Math.floor((within + refused) / 2);
    if (middle === within) break;
    if (await isWithin(template, data(middle))) within = middle;
    else refused = middle;
  }
  return within;
}

/** Renders a document. Returns false if it exceeds its part of the budget. */
async function isWithin(template: Template, data: Record<string, unknown>): Promise<boolean> {
  try {
    const images = await prepareImages(data, limits);
    template.render(data, { images, limits });
    return true;
  } catch (error) {
    if (!isQuireError(error)) throw error;
    // An SVG that exceeds the budget is reported as an invalid value.
    if (error.code === "limit_exceeded" || error.code === "invalid_data") return false;
    throw error;
  }
}

/** Returns a Word file that contains only paragraphs of text. */
function docx(paragraphs: readonly string[]): Uint8Array {
  const body = paragraphs.map(
    (text) => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`,
  );
  const files = {
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join("")}</w:body></w:document>`,
  };
  return writeZip(Object.entries(files).map(([name, content]) => ({ name, content })));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
