import { LIBREOFFICE_CONVERT, ONE_LANE, TWO_LANES } from "../pdf/peers/all.ts";
import type { PdfResults, PdfScenarioResult } from "../pdf/results.ts";
import { exactTimes, memory, size, time, times } from "./format.ts";
import { aimsOf } from "./pdf-aims.ts";

/** The ratio from which a size or an amount of memory counts as larger. */
const LARGER = 1.01;
/**
 * The ratio below which a file counts as smaller. Without bookmarks and with other names, a file with the same content
 * may be slightly smaller.
 */
const SMALLER = 0.95;
const OWN: readonly string[] = [ONE_LANE.title, TWO_LANES.title];

/** Returns the weak points of Quire's conversion, based on the results. */
export function pdfNotes(results: PdfResults): string {
  const missed = aimsOf(results).flatMap(({ what, aim, reached }) =>
    reached !== null && reached.median < aim
      ? [`${what}: ${exactTimes(reached.median)}, not ${times(aim)}`]
      : [],
  );
  return [
    section("Goals that were not reached", missed),
    section(
      "More memory than another way",
      results.scenarios.flatMap((each) => beside(each, "peakMb", memory)),
    ),
    section(
      "Files of another size than from libreoffice-convert (in smaller files, pictures may have lower quality)",
      results.scenarios.flatMap(otherSize),
    ),
    section(
      "More CPU time than another way",
      results.scenarios.flatMap((each) => beside(each, "cpu", time)),
    ),
  ].join("\n\n");
}

function section(title: string, entries: readonly string[]): string {
  const list = entries.length === 0 ? ["none in this run."] : entries;
  return `**${title}:**\n\n${list.map((entry) => `- ${entry}`).join("\n")}`;
}

/** Returns Quire's results that exceed another converter's result by more than the factor `LARGER`. */
function beside(
  { title, lines }: PdfScenarioResult,
  of: "cpu" | "peakMb",
  unit: (value: number) => string,
): string[] {
  const value = (line: (typeof lines)[number]) => (of === "cpu" ? line.cpuMs.median : line.peakMb);
  const others = lines.filter(({ engine }) => !OWN.includes(engine));
  const told = lines
    .filter(({ engine }) => OWN.includes(engine))
    .flatMap((own) => {
      const less = others.filter((other) => value(own) > value(other) * LARGER);
      const named = less.map((other) => `${other.engine} ${unit(value(other))}`);
      return less.length === 0 ? [] : [`${own.engine} ${unit(value(own))}; ${named.join(", ")}`];
    });
  return told.map((each) => `${title}: ${each}`);
}

function otherSize({ title, lines }: PdfScenarioResult): string[] {
  const own = lines.find(({ engine }) => engine === ONE_LANE.title);
  const baseline = lines.find(({ engine }) => engine === LIBREOFFICE_CONVERT.title);
  if (own === undefined || baseline === undefined) return [];
  const ratio = own.bytes / baseline.bytes;
  if (ratio <= LARGER && ratio >= SMALLER) return [];
  return [`${title}: ${size(own.bytes)}, not ${size(baseline.bytes)}`];
}
