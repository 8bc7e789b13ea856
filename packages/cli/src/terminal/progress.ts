import { clearLine, cursorTo } from "node:readline";
import type { Output } from "./io.ts";

/** The progress of a run. */
export interface ProgressState {
  readonly done: number;
  readonly failed: number;
  /** Null if the total is unknown. */
  readonly total: number | null;
  /** Entries done by an earlier command, which do not count towards the rate. Default 0. */
  readonly before?: number;
  /** Memory in use, in bytes. Default: not shown. */
  readonly memory?: number;
}

/** Shows the progress of a run: one line that is updated in place on a terminal, plain lines elsewhere. */
export interface Progress {
  update(state: ProgressState): void;
  /** Shows the last state and ends the line. */
  finish(state: ProgressState): void;
}

const BAR_WIDTH = 24;
/** Time between two updates on a terminal, and between two plain lines. */
const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 2000;

/** Progress on a stream, usually standard error. */
export function createProgress(stream: Output, now = Date.now): Progress {
  const started = now();
  const interval = stream.isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
  let shownAt = started;
  let shownDone = -1;
  const show = (state: ProgressState): void => {
    shownAt = now();
    shownDone = state.done;
    const line = progressLine(state, (shownAt - started) / 1000, stream.isTTY === true);
    if (!stream.isTTY) {
      stream.write(`${line}\n`);
      return;
    }
    cursorTo(stream, 0);
    stream.write(line.slice(0, Math.max((stream.columns ?? 0) - 1, 20)));
    clearLine(stream, 1);
  };
  return {
    update(state) {
      if (now() - shownAt >= interval) show(state);
    },
    finish(state) {
      if (stream.isTTY || state.done !== shownDone) show(state);
      if (stream.isTTY) stream.write("\n");
    },
  };
}

/** For example `[██████░░░░] 31,204/50,000 · 14/s · 22 min left · 3 failed`. */
export function progressLine(
  { done, failed, total, before = 0, memory }: ProgressState,
  seconds: number,
  withBar: boolean,
): string {
  const rate = seconds > 0 ? (done - before) / seconds : 0;
  const parts = [total === null ? `${count(done)} done` : `${count(done)}/${count(total)}`];
  if (done > 0 && rate > 0)
    parts.push(`${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))}/s`);
  if (total !== null && rate > 0 && done < total) {
    parts.push(`${duration((total - done) / rate)} left`);
  }
  if (failed > 0) parts.push(`${count(failed)} failed`);
  if (memory !== undefined) parts.push(`${count(Math.round(memory / 1_000_000))} MB`);
  const line = parts.join(" · ");
  if (!withBar || total === null || total === 0) return line;
  // A data file that grew after it was counted has more entries than the total.
  const filled = Math.min(BAR_WIDTH, Math.round((BAR_WIDTH * done) / total));
  return `[${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}] ${line}`;
}

/** A number with separators between the thousands. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** A duration in a suitable unit. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
