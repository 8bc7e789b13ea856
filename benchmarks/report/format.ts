import type { Spread } from "../measure/statistics.ts";

/** A time in a suitable unit, with three digits. */
export function time(ms: number): string {
  if (ms < 1) return `${digits(ms * 1_000)} µs`;
  return ms < 1_000 ? `${digits(ms)} ms` : `${digits(ms / 1_000)} s`;
}

/** The median of times, and their range. */
export function timeSpread({ median, min, max }: Spread): string {
  return min === max ? time(median) : `${time(median)} (${time(min)} – ${time(max)})`;
}

/** A ratio, with two or three digits. */
export function times(ratio: number): string {
  return `${ratio < 10 ? ratio.toPrecision(2) : Math.round(ratio).toLocaleString("en-US")} ×`;
}

/** A ratio next to its target: with three digits, so that a ratio slightly below the target differs from it. */
export function exactTimes(ratio: number): string {
  return `${digits(ratio)} ×`;
}

/** The median of ratios, and their range. */
export function timesSpread({ median, min, max }: Spread): string {
  return min === max ? times(median) : `${times(median)} (${times(min)} – ${times(max)})`;
}

/** A size of a file. */
export function size(bytes: number): string {
  return bytes < 1_000_000 ? `${digits(bytes / 1_000)} kB` : `${digits(bytes / 1_000_000)} MB`;
}

/** Megabytes of memory. */
export function memory(mb: number): string {
  return `${Math.round(mb).toLocaleString("en-US")} MB`;
}

/** A whole number with separators. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A table of Markdown. Columns after the first are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map(line).join("\n");
}

function digits(value: number): string {
  return value >= 100 ? count(Math.round(value)) : value.toPrecision(3);
}
