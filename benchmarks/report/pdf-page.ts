import { ONE_LANE } from "../pdf/peers/all.ts";
import type { PdfResults } from "../pdf/results.ts";
import { count } from "./format.ts";
import { pdfNotes } from "./pdf-notes.ts";
import { aimsTable, pdfBatchTable, pdfScenarioSection, pdfSeriesTable } from "./pdf-sections.ts";
import { summary, versionTable } from "./sections.ts";

/** Returns the part of the page about PDF. It depends only on these results. */
export function pdfPage(results: PdfResults, picture: string): string[] {
  return [
    intro(results),
    "### Goals",
    "CPU time with one lane, except in the lines about two lanes; medians with the range of the rounds.",
    aimsTable(results),
    ...documents(results, picture),
    ...batches(results),
    ...series(results),
    "### Weaknesses of our way to PDF",
    pdfNotes(results),
    LIMITS,
  ];
}

function intro({ date, machine, settings, versions, account }: PdfResults): string {
  const { rounds, warmUpMs, windowMs, fewest } = settings;
  return `## Converting to PDF

\`npm run bench -- --pdf\` writes this section. This run is of ${date}, on Node ${machine.node} (${machine.platform}),
${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory.

- **The same documents**: Quire makes them from the templates above and from a template with photos. Before the
  measurement, each way converts the first document. Its PDF must contain every text of the data, and must have the same
  text and pages as the PDF of libreoffice-convert. Otherwise the benchmark stops.
- **CPU time of all processes**, user and system: of the calling program, and of every LibreOffice and Python that it
  starts, even if they are killed. ${ACCOUNTS[account]}
- **Resident memory** is the maximum total of all these processes during the conversion, sampled ten times a second.
  Shared memory counts in each process, so the real total is smaller.
- **Interleaved**: each way is warmed up for ${warmUpMs / 1_000} s. Then there are ${rounds} rounds, each in another order. In a round, each
  way converts documents for ${windowMs / 1_000} s, and at least ${fewest} documents, or ${fewest * ONE_LANE.pace} if LibreOffice keeps running, while the others wait. The
  page shows medians with the fastest and the slowest round; ratios are taken within a round.
- **Temporary files** are in memory for all ways.

The ways:

- **libreoffice-convert** as in its README, one document after the other: it starts LibreOffice for each document,
  with a new profile.
- **Gotenberg's way**: a LibreOffice that listens, a new Python process for each document, and after ten documents (the
  default) a new LibreOffice with a new profile. The number of documents in a round is a multiple of ten.
- **unoserver's way**: a LibreOffice that listens, and a Python process with a permanent connection. Documents are loaded
  into \`_default\`, not hidden.
- **Quire**: \`libreOffice({ lanes, join: "off", cacheMb: 0 })\`, and \`convert(document, { rendered: true })\`: each
  document is converted, and separately. The time includes reading each PDF to check it, the search for missing fonts,
  and the hashes.

unoserver's way and Gotenberg's way are **our own re-implementations** for this benchmark, written from the sources of
these programs. Both refresh the document and update its indexes twice, as the originals do by default. They leave out
the other parts of the originals (an HTTP server, a client, the reading of options), which is in their favour.

${versionTable(versions)}`;
}

const ACCOUNTS: Readonly<Record<PdfResults["account"], string>> = {
  "control-group": "The kernel measures it, in a control group for each way.",
  processes:
    "No control group could be created, so it is read from the process list 50 times a second. Processes that live only between two samples may be missed.",
};

function documents({ scenarios }: PdfResults, picture: string): string[] {
  if (scenarios.length === 0) return [];
  return [
    "### A document as PDF",
    "The table shows how many times less CPU time a document takes than with the baseline, the way with **1**.",
    summary(scenarios),
    picture,
    ...scenarios.map(pdfScenarioSection),
  ];
}

function batches({ batches, settings }: PdfResults): string[] {
  if (batches.length === 0) return [];
  return [
    "### A batch of PDFs",
    `${count(settings.batchDocuments)} documents, all different, with \`createEngine({ storage: memoryStorage(), converter: libreOffice({ join: "auto" }) })\`. Everything counts (loading Quire, starting processes and LibreOffice, checking the entries, rendering, converting, storing, and shutting down) except starting Node and reading the data. libreoffice-convert gets documents that are already rendered; it converts some of them before each batch. The benchmark reads 20 PDFs of each batch and checks that each contains the texts of its data.`,
    pdfBatchTable(batches),
  ];
}

function series({ series, settings }: PdfResults): string[] {
  if (series.length === 0) return [];
  return [
    `### ${count(settings.seriesDocuments)} letters, one after the other`,
    `Each letter is requested when the previous one is finished. Each line covers ${count(settings.seriesStep)} documents. The first letter, for which LibreOffice starts, is not in the table.`,
    ...series.map(pdfSeriesTable),
  ];
}

const LIMITS = `### Limits of the PDF measurements

They do not show:

- the appearance of the PDFs: only their text and pages are compared;
- times with your documents: tables and pictures take much more time than text;
- other versions of LibreOffice, other systems, and machines with many cores.`;
