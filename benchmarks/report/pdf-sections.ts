import type { Spread } from "../measure/statistics.ts";
import type { PdfBatchResult, PdfResults, PdfScenarioResult, PdfSeries } from "../pdf/results.ts";
import {
  count,
  exactTimes,
  memory,
  size,
  table,
  time,
  timeSpread,
  times,
  timesSpread,
} from "./format.ts";
import { aimsOf } from "./pdf-aims.ts";

/** Returns the table of the aims and the measured ratios. */
export function aimsTable(results: PdfResults): string {
  return table(
    ["", "goal", "measured", "rounds", "reached"],
    aimsOf(results).map(({ what, aim, reached }) => [
      what,
      times(aim),
      ...(reached === null ? ["–", "–", "–"] : against(aim, reached)),
    ]),
  );
}

function against(aim: number, { median, min, max }: Spread): string[] {
  const range = `${exactTimes(min)} – ${exactTimes(max)}`;
  return [exactTimes(median), range, median >= aim ? "yes" : "**no**"];
}

/** Returns the section about a scenario, with all figures. */
export function pdfScenarioSection(scenario: PdfScenarioResult): string {
  const { title, description, baseline, pages, lines, secondLane } = scenario;
  const head = [
    "",
    "CPU time per document",
    `times ${baseline}`,
    "wall time per document",
    "resident memory",
    "PDF",
  ];
  const rows = lines.map(({ engine, cpuMs, ratio, wallMs, peakMb, bytes }) => [
    engine,
    timeSpread(cpuMs),
    engine === baseline ? "1" : timesSpread(ratio),
    timeSpread(wallMs),
    memory(peakMb),
    size(bytes),
  ]);
  const lanes =
    secondLane === null
      ? ""
      : ` In the same time, two lanes convert ${timesSpread(secondLane)} as many documents as one.`;
  return `### ${title} as PDF\n\n${description}. The PDF has ${count(pages)} ${pages === 1 ? "page" : "pages"}.${lanes}\n\n${table(head, rows)}`;
}

/** Returns the table of the batches. */
export function pdfBatchTable(batches: readonly PdfBatchResult[]): string {
  return table(
    ["", "CPU time per document", "times one by one", "wall time per document", "resident memory"],
    batches.flatMap(({ title, lines }) =>
      lines.map(({ how, cpuMs, ratio, wallMs, peakMb }, index) => [
        `${title}: ${how}`,
        timeSpread(cpuMs),
        index === 0 ? "1" : timesSpread(ratio),
        timeSpread(wallMs),
        memory(peakMb),
      ]),
    ),
  );
}

/** Returns the table for many consecutive documents. */
export function pdfSeriesTable({ title, first, points, restarts }: PdfSeries): string {
  const figures = table(
    ["documents", "median", "95th percentile", "slowest", "CPU time", "resident memory"],
    points.map(({ documents, p50Ms, p95Ms, slowestMs, cpuMs, residentMb }) => [
      count(documents),
      time(p50Ms),
      time(p95Ms),
      time(slowestMs),
      time(cpuMs),
      memory(residentMb),
    ]),
  );
  const told =
    restarts === 0
      ? "One LibreOffice converted all documents."
      : `Restarts of LibreOffice: ${restarts}.`;
  const start = `The first letter took ${time(first.cpuMs)} of CPU time.`;
  return `**${title}.** ${told} ${start}\n\n${figures}`;
}
