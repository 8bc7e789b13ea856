import { count, duration } from "./format.ts";

/** The contents of a line about progress. */
export interface LineParts {
  /** Precedes the counts, for example `reading`. */
  readonly phase: string;
  readonly done: number;
  /** Null if the total is unknown. */
  readonly total: number | null;
  /** Default 0. */
  readonly failed?: number;
  /** Items per second; null if the rate is unknown or not shown. */
  readonly rate: number | null;
  /** In bytes; null if the memory is not shown. */
  readonly memory: number | null;
}

const BAR_WIDTH = 24;

/**
 * Formats a line about progress: `making [██████░░░░] 31,204 of 50,000 · 14/s · 22 min left · 3 failed · 712 MB`.
 * `width` is the width of the terminal; null for a plain line without a bar. On a narrow terminal, the line first loses
 * the bar, then the memory, then the rate.
 */
export function progressLine(parts: LineParts, width: number | null): string {
  const shapes: readonly Shape[] = [
    { bar: true, memory: true, rate: true },
    { bar: false, memory: true, rate: true },
    { bar: false, memory: false, rate: true },
    { bar: false, memory: false, rate: false },
  ];
  if (width === null) return lineOf(parts, { bar: false, memory: true, rate: true });
  const lines = shapes.map((shape) => lineOf(parts, shape));
  return lines.find((line) => line.length <= width) ?? (lines.at(-1) ?? "").slice(0, width);
}

interface Shape {
  readonly bar: boolean;
  readonly memory: boolean;
  readonly rate: boolean;
}

function lineOf({ phase, done, total, failed = 0, rate, memory }: LineParts, shape: Shape): string {
  const bar = shape.bar && total !== null && total > 0 ? `${barOf(done / total)} ` : "";
  const parts = [`${phase} ${bar}${counts(done, total)}`.trim()];
  if (shape.rate && rate !== null) {
    parts.push(`${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))}/s`);
  }
  if (rate !== null && total !== null && done < total) {
    parts.push(`${duration((total - done) / rate)} left`);
  }
  if (failed > 0) parts.push(`${count(failed)} failed`);
  if (shape.memory && memory !== null) parts.push(`${count(Math.round(memory / 1_000_000))} MB`);
  return parts.join(" · ");
}

function counts(done: number, total: number | null): string {
  if (total !== null) return `${count(done)} of ${count(total)}`;
  return done === 0 ? "" : count(done);
}

function barOf(share: number): string {
  // A data file that grew after it was counted has more entries than the total.
  const filled = Math.min(BAR_WIDTH, Math.round(BAR_WIDTH * share));
  return `[${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}]`;
}
