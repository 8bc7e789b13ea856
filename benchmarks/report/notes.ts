import { count, memory, size, time, times } from "./format.ts";
import { type Curve, isOwn, type Results, type ScenarioResult } from "./results.ts";

/**
 * The ratio from which a size or an amount of memory counts as larger. `WIDE`: the ratio from which a range counts as
 * wide.
 */
const LARGER = 1.01;
const WIDE = 1.3;

/** Returns the weak points of Quire and the unreliable figures, based on the results. */
export function notes(results: Results): string {
  return [
    section("Slower than another engine", [
      ...results.scenarios.flatMap(slower),
      ...slowerAtFirst(results.growth),
    ]),
    section("Larger files than the fastest other engine", results.scenarios.flatMap(larger)),
    section("More memory than the fastest other engine", results.scenarios.flatMap(hungrier)),
    section(
      `Wide spread (the slowest round took more than ${WIDE} times the fastest)`,
      results.scenarios.flatMap(unsteady),
    ),
  ].join("\n\n");
}

function section(title: string, entries: readonly string[]): string {
  const list = entries.length === 0 ? ["none in this run."] : entries;
  return `**${title}:**\n\n${list.map((entry) => `- ${entry}`).join("\n")}`;
}

/** Returns the entry of a scenario; empty if there is nothing to say. */
function entry(title: string, told: readonly string[]): string[] {
  return told.length === 0 ? [] : [`${title}: ${told.join("; ")}`];
}

function slower({ title, lines }: ScenarioResult): string[] {
  const [own, peers] = apart(lines);
  const pairs = own.flatMap((line) =>
    peers
      .filter((peer) => peer.cpuMs.median < line.cpuMs.median)
      .map(
        (peer) =>
          `${line.engine} takes ${time(line.cpuMs.median)}, ${peer.engine} ${time(peer.cpuMs.median)}`,
      ),
  );
  return entry(title, pairs);
}

/** Returns where the first documents of a process are slower, because Quire first loads and compiles. */
function slowerAtFirst(curves: readonly Curve[]): string[] {
  const these = curves.filter(({ over }) => over === "documents");
  const sizes = [...new Set(these.flatMap(({ points }) => points.map(({ size }) => size)))];
  return sizes.flatMap((documents) => {
    const [own, peers] = apart(
      these.flatMap(({ engine, points }) =>
        points.filter(({ size }) => size === documents).map(({ cpuMs }) => ({ engine, cpuMs })),
      ),
    );
    const slow = own.filter(({ cpuMs }) => peers.some((peer) => peer.cpuMs < cpuMs));
    const told = slow.map(({ engine, cpuMs }) => `${engine} takes ${time(cpuMs)}`);
    const others = peers.map(({ engine, cpuMs }) => `${engine} ${time(cpuMs)}`);
    const title = `The first ${documents === 1 ? "letter" : `${count(documents)} letters`} in a new process`;
    return entry(title, told.length === 0 ? [] : [...told, ...others]);
  });
}

function larger({ title, baseline, lines }: ScenarioResult): string[] {
  const [own] = apart(lines);
  const bytes = lines.find(({ engine }) => engine === baseline)?.bytes ?? 0;
  const told = own
    .filter((line) => line.bytes > bytes * LARGER)
    .map((line) => `${line.engine} ${size(line.bytes)} (+${percent(line.bytes / bytes)})`);
  return entry(title, told.length === 0 ? [] : [...told, `${baseline} ${size(bytes)}`]);
}

function hungrier({ title, baseline, lines }: ScenarioResult): string[] {
  const [own] = apart(lines);
  const peak = lines.find(({ engine }) => engine === baseline)?.peakMb ?? 0;
  const told = own
    .filter(({ peakMb }) => peakMb > peak * LARGER)
    .map(({ engine, peakMb }) => `${engine} ${memory(peakMb)}`);
  return entry(title, told.length === 0 ? [] : [...told, `${baseline} ${memory(peak)}`]);
}

function unsteady({ title, lines }: ScenarioResult): string[] {
  const told = lines
    .filter(({ cpuMs }) => cpuMs.max > cpuMs.min * WIDE)
    .map(({ engine, cpuMs }) => `${engine} ${times(cpuMs.max / cpuMs.min)}`);
  return entry(title, told);
}

/** Separates Quire's lines from the lines of the other engines. */
function apart<T extends { readonly engine: string }>(lines: readonly T[]): readonly [T[], T[]] {
  return [
    lines.filter(({ engine }) => isOwn(engine)),
    lines.filter(({ engine }) => !isOwn(engine)),
  ];
}

function percent(ratio: number): string {
  return `${Math.round((ratio - 1) * 100)} %`;
}
