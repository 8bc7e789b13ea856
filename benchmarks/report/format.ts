import type { Spread } from "../measure/statistics.ts";

/** Formats a time in a suitable unit, with three digits. */
export function time(ms: number): string {
  if (ms < 1) return `${digits(ms * 1_000)} µs`;
  return ms < 1_000 ? `${digits(ms)} ms` : `${digits(ms / 1_000)} s`;
}

/** Formats the median of times, and their range. */
export function timeSpread({ median, min, max }: Spread): string {
  return min === max ? time(median) : `${time(median)} (${time(min)} – ${time(max)})`;
}

/** Formats a ratio with two or three digits. */
export function times(ratio: number): string {
  return `${ratio < 10 ? ratio.toPrecision(2) : Math.round(ratio).toLocaleString("en-US")} ×`;
}

/** Formats a ratio with three digits. Next to its target, a ratio slightly below the target then looks different. */
export function exactTimes(ratio: number): string {
  return `${digits(ratio)} ×`;
}

/** Formats the median of ratios, and their range. */
export function timesSpread({ median, min, max }: Spread): string {
  return min === max ? times(median) : `${times(median)} (${times(min)} – ${times(max)})`;
}

/** Formats a file size. */
export function size(bytes: number): string {
  return bytes < 1_000_000 ? `${digits(bytes / 1_000)} kB` : `${digits(bytes / 1_000_000)} MB`;
}

/** Formats megabytes of memory. */
export function memory(mb: number): string {
  return `${Math.round(mb).toLocaleString("en-US")} MB`;
}

/** Formats an integer with thousands separators. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Returns a Markdown table. Columns after the first are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map(line).join("\n");
}

function digits(value: number): string {
  return value >= 100 ? count(Math.round(value)) : value.toPrecision(3);
}
