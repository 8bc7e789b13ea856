import { expect } from "vitest";

/** A series: its name, its labels and its value. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/y;
const NUMBER = /^(?:[+-]?Inf|NaN|Nan|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** Parses the text format of Prometheus and checks its syntax. */
export function readExposition(text: string): Series[] {
  expect(text.endsWith("\n")).toBe(true);
  const types = new Map<string, string>();
  const seen = new Set<string>();
  const series: Series[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const meta = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (meta !== null) {
      const [, kind, name = "", rest = ""] = meta;
      if (kind === "TYPE") expect(types.has(name), line).toBe(false);
      if (kind === "TYPE") types.set(name, rest);
      continue;
    }
    const [, name = "", labelText = "", number = ""] = SAMPLE.exec(line) ?? [];
    expect(name, line).not.toBe("");
    expect(number, line).toMatch(NUMBER);
    const labels = readLabels(labelText, line);
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
    expect(types.has(family), line).toBe(true);
    if (types.get(family) === "counter") expect(name.endsWith("_total"), line).toBe(true);
    const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
    expect(seen.has(key), line).toBe(false);
    seen.add(key);
    series.push({ name, labels, value: Number(number.replace("Inf", "Infinity")) });
  }
  checkHistograms(types, series);
  return series;
}

/** Returns the value of the series with this name and these labels; undefined if it does not exist. */
export function valueIn(
  series: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = series.filter(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  );
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.value;
}

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    const [, name = "", value = ""] = LABEL.exec(text) ?? [];
    expect(name, line).not.toBe("");
    expect(name in labels, line).toBe(false);
    labels[name] = value;
  }
  return labels;
}

/** Checks that the buckets of histograms never decrease and that the last bucket contains everything. */
function checkHistograms(types: ReadonlyMap<string, string>, series: readonly Series[]): void {
  for (const [name, type] of types) {
    if (type !== "histogram") continue;
    for (const { labels, value } of series.filter((one) => one.name === `${name}_count`)) {
      const buckets = series.filter(
        (one) =>
          one.name === `${name}_bucket` &&
          Object.entries(labels).every(([label, of]) => one.labels[label] === of),
      );
      const counts = buckets.map((one) => one.value);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(buckets.at(-1)).toMatchObject({ labels: { le: "+Inf" }, value });
    }
  }
}
