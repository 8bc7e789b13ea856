import { count, memory, size, table, time, timeSpread, times, timesSpread } from "./format.ts";
import type { BatchResult, Curve, CurvePoint, Results, ScenarioResult } from "./results.ts";

/** The title of Quire with its default options. */
const DEFAULT = "Quire, small";

/** Returns a table of the fastest other engine in each scenario, and of Quire with its default compression. */
export function fastestPeers(scenarios: readonly ScenarioResult[]): string {
  return table(
    ["scenario", "fastest other engine", "its CPU time", DEFAULT, "times less"],
    scenarios.map(({ title, baseline, lines }) => {
      const line = (named: string) => lines.find(({ engine }) => engine === named);
      const [peer, own] = [line(baseline), line(DEFAULT)];
      return [
        title,
        baseline,
        peer === undefined ? "–" : time(peer.cpuMs.median),
        own === undefined ? "–" : time(own.cpuMs.median),
        own === undefined ? "–" : times(own.ratio.median),
      ];
    }),
  );
}

/** Returns the table of the ratios in all scenarios. */
export function summary(scenarios: readonly ScenarioResult[]): string {
  const engines = [...new Set(scenarios.flatMap(({ lines }) => lines.map(({ engine }) => engine)))];
  return table(
    ["", ...scenarios.map(({ title }) => title)],
    engines.map((engine) => [
      engine,
      ...scenarios.map(({ lines, baseline }) => {
        const line = lines.find((each) => each.engine === engine);
        if (line === undefined) return "–";
        return engine === baseline ? "**1**" : times(line.ratio.median);
      }),
    ]),
  );
}

/** Returns the section about a scenario, with all figures. */
export function scenarioSection({ title, description, baseline, lines }: ScenarioResult): string {
  const rows = lines.map(({ engine, cpuMs, ratio, bytes, peakMb }) => [
    engine,
    timeSpread(cpuMs),
    engine === baseline ? "1" : timesSpread(ratio),
    size(bytes),
    memory(peakMb),
  ]);
  const head = ["", "CPU time per document", `times ${baseline}`, "file", "peak memory"];
  return `### ${title}\n\n${capital(description)}.\n\n${table(head, rows)}`;
}

/** Returns the table of the figures of the curves. */
export function growthTable(curves: readonly Curve[], over: Curve["over"]): string {
  const these = curves.filter((curve) => curve.over === over);
  const sizes = [...new Set(these.flatMap(({ points }) => points.map((point) => point.size)))];
  const cell = (point: CurvePoint | undefined) =>
    point === undefined ? ["–", "–"] : [time(point.cpuMs), addedMemory(point)];
  const figures = table(
    [over, ...these.flatMap(({ engine }) => [`${engine}: CPU`, "memory: with data, peak"])],
    sizes
      .toSorted((a, b) => a - b)
      .map((each) => [
        count(each),
        ...these.flatMap(({ points }) => cell(points.find((point) => point.size === each))),
      ]),
  );
  const ends = these.flatMap(({ engine, stopped }) =>
    stopped === null
      ? []
      : [
          `- ${engine} was not measured with ${count(stopped.at)} ${over}: ${sentence(stopped.why)}`,
        ],
  );
  return [figures, ends.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** Returns the table of the batch of files. */
export function batchTable({ lines }: BatchResult): string {
  return table(
    ["", "CPU time per document", "times the loop", "wall time per document", "peak memory"],
    lines.map(({ how, cpuMs, ratio, wallMs, peakMb }, index) => [
      how,
      timeSpread(cpuMs),
      index === 0 ? "1" : timesSpread(ratio),
      timeSpread(wallMs),
      memory(peakMb.max),
    ]),
  );
}

/** Returns the table of the engines and their versions. */
export function versionTable(versions: Results["versions"]): string {
  return table(
    ["engine", "version"],
    Object.entries(versions).map(([engine, version]) => [engine, version ?? "not installed here"]),
  );
}

function addedMemory({ beforeMb, peakMb }: CurvePoint): string {
  return `${memory(beforeMb)}, ${memory(peakMb)}`;
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
