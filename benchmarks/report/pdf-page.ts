import { ONE_LANE } from "../pdf/peers/all.ts";
import type { PdfResults } from "../pdf/results.ts";
import { count } from "./format.ts";
import { pdfNotes } from "./pdf-notes.ts";
import { aimsTable, pdfBatchTable, pdfScenarioSection, pdfSeriesTable } from "./pdf-sections.ts";
import { summary, versionTable } from "./sections.ts";

/** The part of the page on PDF, made from its own results. */
export function pdfPage(results: PdfResults, picture: string): string[] {
  return [
    intro(results),
    "### What was aimed at",
    "In CPU time of one lane, but for the lines on two lanes; medians, with the range of the rounds.",
    aimsTable(results),
    ...documents(results, picture),
    ...batches(results),
    ...series(results),
    "### What speaks against our way to PDF",
    pdfNotes(results),
    LIMITS,
  ];
}

function intro({ date, machine, settings, versions, account }: PdfResults): string {
  const { rounds, warmUpMs, windowMs, fewest } = settings;
  return `## Converting to PDF

Written by \`npm run bench -- --pdf\`. This is the run of ${date}, on Node ${machine.node} (${machine.platform}),
${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory.

- **The same documents**: those that Quire makes of the templates above, and of one with photos. Before any time
  is taken, each way converts the first one: its PDF must hold every text of the data, and have the same text and
  pages as that of libreoffice-convert. Otherwise the benchmark stops.
- **CPU time of all processes**, user and system: of the program that asks, and of every LibreOffice and Python
  that comes of it, also of those that were killed. ${ACCOUNTS[account]}
- **Resident memory** is the most that all these processes held together while documents were converted, looked
  at ten times a second. What they share counts in each of them, so it is less in truth.
- **Interleaved**: each way is warmed up for ${warmUpMs / 1_000} s. Then there are ${rounds} rounds, in another order in each; in a
  round each way converts documents for ${windowMs / 1_000} s, at least ${fewest}, or ${fewest * ONE_LANE.pace} where LibreOffice stays, while the others wait. Medians are told, with the
  fastest and the slowest round; ratios are taken within a round.
- **Temporary files** are in memory for all of them.

The ways:

- **libreoffice-convert** as its README shows it, one document after the other: LibreOffice is started for each,
  with a new profile.
- **Gotenberg's way**: a LibreOffice that listens, for each document a Python that connects to it, and a new
  LibreOffice with a new profile after ten documents, which is its default. Rounds are of whole tens.
- **unoserver's way**: a LibreOffice that listens, and a Python that stays connected; documents are loaded
  into \`_default\`, not hidden.
- **Quire**: \`libreOffice({ lanes, join: "off", cacheMb: 0 })\`, and \`convert(document, { rendered: true })\`: each
  document is converted, and by itself. What is counted includes reading each PDF again to check it, the search
  for missing fonts, and the hashes.

unoserver's way and Gotenberg's way are **re-implementations of our own**, written after their sources for this
benchmark, and not these programs. Both refresh the document and update its indexes twice, as the originals do by
default. Left out is what the originals have around it (an HTTP server, a client, the reading of options), which
is in their favour.

${versionTable(versions)}`;
}

const ACCOUNTS: Readonly<Record<PdfResults["account"], string>> = {
  "control-group": "The kernel counts it, in a control group for each way.",
  processes:
    "No control group could be made, so it is read from the list of processes, 50 times a second: what happens between two looks may be missed.",
};

function documents({ scenarios }: PdfResults, picture: string): string[] {
  if (scenarios.length === 0) return [];
  return [
    "### A document as PDF",
    "How many times less CPU time a document takes; the way with **1** is what is compared with.",
    summary(scenarios),
    picture,
    ...scenarios.map(pdfScenarioSection),
  ];
}

function batches({ batches, settings }: PdfResults): string[] {
  if (batches.length === 0) return [];
  return [
    "### A batch of PDFs",
    `${count(settings.batchDocuments)} documents, all different, with \`createEngine({ storage: memoryStorage(), converter: libreOffice({ join: "auto" }) })\`. Everything counts: loading Quire, starting processes and LibreOffices, checking the entries, rendering, converting, storing, and ending all of it; only starting Node and reading the data does not. libreoffice-convert gets documents that are rendered already, some of them before each batch. 20 PDFs of each batch are read, and must hold the texts of their own data.`,
    pdfBatchTable(batches),
  ];
}

function series({ series, settings }: PdfResults): string[] {
  if (series.length === 0) return [];
  return [
    `### ${count(settings.seriesDocuments)} letters, one after the other`,
    `Each is asked for when the one before is there. Each line is of ${count(settings.seriesStep)} documents; the one with which LibreOffice is started comes before them.`,
    ...series.map(pdfSeriesTable),
  ];
}

const LIMITS = `### What that does not tell

- How the PDFs look: only their text and pages are compared.
- What a document of yours takes: tables and pictures take far more than text.
- Other versions of LibreOffice, other systems, and machines with many cores.`;
