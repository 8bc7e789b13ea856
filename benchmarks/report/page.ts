import type { PdfResults } from "../pdf/results.ts";
import { count } from "./format.ts";
import { jobsPage } from "./jobs-page.ts";
import { notes } from "./notes.ts";
import { pdfPage } from "./pdf-page.ts";
import type { Report } from "./report.ts";
import type { Results } from "./results.ts";
import { batchTable, growthTable, scenarioSection, summary, versionTable } from "./sections.ts";
import { servicePage } from "./service-page.ts";

/** A picture of the page: its file, and what it shows for those who do not see it. */
export interface Picture {
  readonly file: string;
  readonly alt: string;
  readonly svg: string;
}

/** The page of results. It is made from the results alone, so that a rerun refreshes all of it. */
export function page(
  { rendering, pdf, jobs, service }: Report,
  pictures: readonly Picture[],
): string {
  const shown = (part: string) =>
    pictures
      .filter(({ file }) => file.startsWith(part))
      .map(({ file, alt }) => `![${alt}](benchmarks/${file})`)
      .join("\n\n");
  const parts = [
    ...(rendering === null ? ["# Benchmarks"] : ofRendering(rendering, pdf, shown)),
    ...(pdf === null ? [] : pdfPage(pdf, shown("pdf-ratios"))),
    ...(jobs === null ? [] : jobsPage(jobs)),
    ...(service === null ? [] : servicePage(service)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function ofRendering(
  results: Results,
  pdf: PdfResults | null,
  shown: (part: string) => string,
): string[] {
  return [
    intro(results),
    ...scenarios(results, shown("ratios")),
    ...growth(results, shown("rows"), shown("documents")),
    ...batch(results),
    "## What speaks against it",
    "These lists are made from the figures above.",
    notes(results),
    limits(pdf !== null),
  ];
}

function intro({ date, machine, settings, versions }: Results): string {
  const { rounds, warmUpMs, windowMs, fewest, compared } = settings;
  return `# Benchmarks

How much work a document is, for Quire and for other engines. Written by \`npm run bench\`, which makes the
templates, checks the documents, takes the times and writes this page: do not edit it. This is the run of
${date}, on Node ${machine.node} (${machine.platform}), ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory.

## How it is measured

- **The same documents.** A scenario is one description: from it, each engine gets a template in the syntax of
  its tags, with the parts that Word writes (styles, theme, settings, header, footer, notes). Before any time
  is taken, every engine renders ${compared} data sets, and the text of header, body and footer is compared, paragraph
  by paragraph, and so is the number of pictures. A difference stops the benchmark.
- **Different data.** Each document has other values than the one before: 64 data sets in turn, 4 for the table
  of 5,000 rows.
- **CPU time**, user and system, of all threads of the process, so that collecting garbage counts. Other work
  on the machine disturbs it less than wall time.
- **A process of its own** for each engine, warmed up for ${seconds(warmUpMs)} of CPU time. Then there are ${rounds} rounds, the
  engines in another order in each; an engine is measured for ${seconds(windowMs)} and ${documents(fewest)} at least,
  while the others wait.
- **Medians**, with the fastest and the slowest round in parentheses. Times depend on the machine and on what
  else it does, so read the ratios: each is taken within a round, between neighbours in time.
- Peak memory is that of the whole process, with Node and the data sets.

How the engines are used:

- **docxtemplater** as its guide shows it: \`new PizZip\`, \`new Docxtemplater\` with \`paragraphLoop\` and
  \`linebreaks\`, \`render\` and \`generate\` with \`DEFLATE\`, for each document. It has no documented way to
  compile a template once.
- **easy-template-x**: one \`TemplateHandler\`, \`process\` for each document.
- **docx-templates**: \`createReport\` with \`noSandbox: true\`, which is faster and only for templates that are
  trusted; else its defaults, among them the compression level 1.
- **docxtpl** in Python: \`DocxTemplate\`, \`render\` with \`autoescape\`, \`save\` into memory, for each document.
- **Quire**: \`compileTemplate\` once, \`template.render(data, { compression })\` for each document, which is what
  everyone calls. \`small\` compresses like the others, \`fast\` with the least work,
  \`template\` compresses what the template says only once, and then what the data say. Parts of up to 32,000
  characters, as those of the letter and the invoice, are compressed in the last way in any case.

${versionTable(versions)}`;
}

function scenarios({ scenarios }: Results, pictures: string): string[] {
  if (scenarios.length === 0) return [];
  return [
    "## A document",
    "How many times less CPU time a document takes; in each column the engine with **1** is what is compared with.",
    summary(scenarios),
    pictures,
    "Pictures and HTML are paid modules of docxtemplater, and easy-template-x and docxtpl have no HTML. docx-templates hands HTML over as it is, for Word to import when the file is opened (`altChunk`), which is less work; Quire makes Word's own paragraphs and lists of it, which every reader shows.",
    ...scenarios.map(scenarioSection),
  ];
}

function growth({ growth, settings }: Results, rows: string, documents: string): string[] {
  if (growth.length === 0) return [];
  return [
    "## How it grows",
    `Each point is one process and one measurement. A curve ends where a point takes more than ${settings.longestSeconds} seconds or ${settings.largestMb / 1_000} GB; a cross marks its last point. The first figure for memory is the process with the data, before the first document; the second one its peak.`,
    "### Rows in one document",
    `The table with six columns. The process has made documents of 100 rows for ${seconds(settings.warmUpMs)} of CPU time before. The rows share their texts, so that the data itself needs little memory.`,
    rows,
    growthTable(growth, "rows"),
    "### Documents",
    "The letter, one document after the other in a new process: reading the template, compiling and warming up count, so that the first points tell what one document costs. The documents are not kept.",
    documents,
    growthTable(growth, "documents"),
  ];
}

function batch({ batch }: Results): string[] {
  if (batch === null) return [];
  return [
    "## A batch of files",
    `${count(batch.documents)} invoices as files in a folder, all of it counted, from reading the template to the last file, without a warm-up. Quire's engine checks every entry, names the files, keeps track of the jobs, and writes each file so that it is there whole or not at all and survives a power cut (a temporary file, \`fsync\`, a link); the loop just calls \`writeFile\`. The wall time depends on the disk more than on anything else.`,
    batchTable(batch),
  ];
}

function limits(pdf: boolean): string {
  return `## What it does not tell

- Wall time on free cores, and how several cores share the work: only CPU time is compared.
- How long Word takes to open a document. Text and pictures are compared, the look is not.
- What the time is on your templates. These scenarios are written for this benchmark, and tags are few in them
  compared to text; random words compress less well than real sentences.
- Converting to PDF, which takes a hundred times longer than any of this${pdf ? ": [that comes now](#converting-to-pdf)" : ""}.
- What else the engines can do, and what they make of difficult data: see [comparison.md](comparison.md).`;
}

function documents(number: number): string {
  return number === 1 ? "1 document" : `${number} documents`;
}

function seconds(ms: number): string {
  return ms === 1_000 ? "1 second" : `${ms / 1_000} seconds`;
}
