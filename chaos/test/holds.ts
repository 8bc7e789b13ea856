import { expect } from "vitest";
import { type Report, reportInWords } from "../support/report.ts";

/** Longer than the whole short form takes: what hangs is ended by the scenario itself, and told. */
export const LIMIT_MS = 900_000;

/**
 * What is left out because the environment says so: `QUIRE_CHAOS_SKIP=strace,mount` where there is no strace, or no
 * right to trace and to mount. Nothing is left out silently.
 */
export const SKIPPED: ReadonlySet<string> = new Set(
  (process.env.QUIRE_CHAOS_SKIP ?? "").split(","),
);

/** The processes of others, signals and strace are Linux. */
export const IS_LINUX = process.platform === "linux";

/** Tells what was tried, and fails with what was found. */
export function holds(report: Report): void {
  console.log(reportInWords(report));
  expect(report.violations).toEqual([]);
}
