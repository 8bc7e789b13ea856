import type { Spread } from "../measure/statistics.ts";
import type { StartResults } from "../start/results.ts";
import { table, timeSpread, timesSpread } from "./format.ts";

/** Returns the part of the page about starting programs. It depends only on these results. */
export function startPage(results: StartResults): string[] {
  const { date, machine, rounds } = results;
  return [
    `## Starting

\`npm run bench:start\` writes this section. This run is of ${date}, on Node ${machine.node} (${machine.platform}),
${machine.cores} × ${machine.cpu}, ${machine.memoryGb} GB of memory.

CPU time of a whole process that only prints a text or only loads a package. There are ${rounds} rounds, each with a new
process for each line. The goal for \`quire --version\` is at most twice the time of an empty program, and for
\`@quire/core\` at most 1.5 times the time of docxtemplater. The table shows medians with their range; ratios are taken
within a round.`,
    startTable(results),
  ];
}

/** Returns the table with all figures. */
export function startTable({ lines }: StartResults): string {
  return table(
    ["", "CPU time", "times an empty program", "times docxtemplater"],
    lines.map(({ title, cpuMs, ratio, peerRatio }) => [
      title,
      timeSpread(cpuMs),
      timesOrOne(ratio),
      peerRatio === undefined ? "–" : timesOrOne(peerRatio),
    ]),
  );
}

/** Formats a ratio. The baseline of a column has the ratio 1 in each round. */
function timesOrOne(ratio: Spread): string {
  return ratio.min === 1 && ratio.max === 1 ? "1" : timesSpread(ratio);
}
