import type { PdfResults } from "../pdf/results.ts";
import { count } from "./format.ts";
import { jobsPage } from "./jobs-page.ts";
import { notes } from "./notes.ts";
import { pdfPage } from "./pdf-page.ts";
import { queuePage } from "./queue-page.ts";
import type { Report } from "./report.ts";
import type { Results } from "./results.ts";
import {
  batchTable,
  fastestPeers,
  growthTable,
  scenarioSection,
  summary,
  versionTable,
} from "./sections.ts";
import { servicePage } from "./service-page.ts";
import { startPage } from "./start-page.ts";

/** A picture of the page: its file name, and a description for readers who cannot see it. */
export interface Picture {
  readonly file: string;
  readonly alt: string;
  readonly svg: string;
}

/** Returns the results page. It depends only on the results, so that a new run updates all of it. */
export function page(
  { rendering, pdf, jobs, queue, service, start }: Report,
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
    ...(queue === null ? [] : queuePage(queue)),
    ...(service === null ? [] : servicePage(service)),
    ...(start === null ? [] : startPage(start)),
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
    "## Weaknesses",
    "These lists are computed from the figures above.",
    notes(results),
    limits(pdf !== null),
  ];
}

function intro({ date, machine, settings, versions }: Results): string {
  const { rounds, warmUpMs, windowMs, fewest, compared } = settings;
  return `# Benchmarks

This page compares the work per document for Quire and other engines. \`npm run bench\` writes it: it makes the
templates, checks the documents and measures the times. Do not edit the page. This run is of ${date}, on
Node ${machine.node} (${machine.platform}), ${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory.

## Method

- **The same documents.** From one description of a scenario, each engine gets a template in its own syntax, with the
  parts that Word writes (styles, theme, settings, header, footer, notes). Before the measurement, every engine renders
  ${compared} data sets. The benchmark compares the text of header, body and footer, paragraph by paragraph, and the number
  of pictures. A difference stops the benchmark.
- **Different data.** Each document has other values than the previous one: 64 data sets in turn, 4 for the table
  of 5,000 rows.
- **CPU time**, user and system, of all threads of the process, so that garbage collection counts. Other work on the
  machine affects it less than wall time.
- **A separate process** for each engine, warmed up for ${seconds(warmUpMs)} of CPU time. Then there are ${rounds} rounds, each with
  the engines in another order. Each engine is measured for ${seconds(windowMs)} and at least ${documents(fewest)}, while the
  others wait.
- **Medians**, with the fastest and the slowest round in parentheses. Times depend on the machine and on its other
  work, so read the ratios: each is taken within a round, from measurements close in time.
- Peak memory is the memory of the whole process, with Node and the data sets.

How the engines are used:

- **docxtemplater** as in its guide: \`new PizZip\`, \`new Docxtemplater\` with \`paragraphLoop\` and
  \`linebreaks\`, \`render\` and \`generate\` with \`DEFLATE\`, for each document. It has no documented way to
  compile a template once.
- **easy-template-x**: one \`TemplateHandler\`, \`process\` for each document.
- **docx-templates**: \`createReport\` with \`noSandbox: true\`, which is faster and only for trusted templates;
  otherwise its defaults, including the compression level 1.
- **Carbone CE**, the Community Edition: \`render\` with its defaults. It takes a template only as a file, and has no
  documented way to keep a template between documents, so the time includes reading the file again, from the system's
  cache.
- **docxtpl** in Python: \`DocxTemplate\`, \`render\` with \`autoescape\`, \`save\` into memory, for each document.
- **Quire**: \`compileTemplate\` once, and the public method \`template.render(data, { compression })\` for each document.
  \`small\` compresses like the other engines, \`fast\` compresses with the least work, and \`template\` compresses the
  static text of the template only once, and then the data. Parts of up to 32,000 characters, as in the letter and the
  invoice, always use the last method.

${versionTable(versions)}`;
}

function scenarios({ scenarios }: Results, pictures: string): string[] {
  if (scenarios.length === 0) return [];
  return [
    "## A document",
    "This table compares the default compression of Quire with the fastest other engine of each scenario.",
    fastestPeers(scenarios),
    "The next table has all engines. It shows how many times less CPU time a document takes than with that fastest other engine, which has **1** in its column. A dash means that the free version of an engine does not support the scenario.",
    summary(scenarios),
    pictures,
    "Pictures and HTML are paid modules of docxtemplater and features of Carbone's paid edition, and easy-template-x and docxtpl have no HTML. docx-templates inserts HTML unchanged, and Word imports it when the file is opened (`altChunk`), which is less work. Quire turns it into native Word paragraphs and lists, which every reader shows.",
    ...scenarios.map(scenarioSection),
  ];
}

function growth({ growth, settings }: Results, rows: string, documents: string): string[] {
  if (growth.length === 0) return [];
  return [
    "## Growth",
    `Each point is one process and one measurement. A curve ends if a point takes more than ${settings.longestSeconds} seconds or ${settings.largestMb / 1_000} GB; a cross marks its last point. The first figure for memory is the process with the data, before the first document; the second is its peak.`,
    "### Rows in one document",
    `This is the table with six columns. Before the measurement, the process makes documents of 100 rows for ${seconds(settings.warmUpMs)} of CPU time. The rows share their texts, so that the data needs little memory.`,
    rows,
    growthTable(growth, "rows"),
    "### Documents",
    "A new process makes the letter, one document after the other. Reading the template, compiling and warming up count, so the first points show the cost of a single document. The documents are not kept.",
    documents,
    growthTable(growth, "documents"),
  ];
}

function batch({ batch }: Results): string[] {
  if (batch === null) return [];
  return [
    "## A batch of files",
    `${count(batch.documents)} invoices as files in a folder. Everything counts, from reading the template to the last file, without a warm-up. Quire's engine checks every entry, names the files, keeps track of the jobs, and writes each file atomically and durably (a temporary file, \`fsync\`, a link). The loop only calls \`writeFile\`. The wall time depends mainly on the disk.`,
    batchTable(batch),
  ];
}

function limits(pdf: boolean): string {
  return `## Limits of these measurements

They do not show:

- wall time on idle cores, and how several cores share the work: only CPU time is compared;
- the time that Word needs to open a document, and its appearance: only text and pictures are compared;
- times with your templates: these scenarios are written for this benchmark and have few tags compared to their text,
  and random words compress less well than real sentences;
- conversion to PDF, which takes a hundred times longer${pdf ? ": see [Converting to PDF](#converting-to-pdf)" : ""};
- other features of the engines, and their results with difficult data: see [comparison.md](comparison.md).`;
}

function documents(number: number): string {
  return number === 1 ? "1 document" : `${number} documents`;
}

function seconds(ms: number): string {
  return ms === 1_000 ? "1 second" : `${ms / 1_000} seconds`;
}
