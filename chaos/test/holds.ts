import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { type Report, reportInWords } from "../support/report.ts";

/** Longer than any of these tests takes: scenarios end and report programs that hang. */
export const LIMIT_MS = 900_000;

/**
 * The kinds of faults to skip: those in the environment (`QUIRE_CHAOS_SKIP=strace,mount`), and those that the system
 * does not allow, as in a container without permission to trace and to mount. Every skip is printed. A missing
 * strace is a failure.
 */
export const SKIPPED: ReadonlySet<string> = new Set([
  ...(process.env.QUIRE_CHAOS_SKIP ?? "").split(","),
  ...(isForbidden("strace", ["-o", "/dev/null", "true"]) ? ["strace"] : []),
  ...(isForbidden("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]) ? ["mount"] : []),
]);

function isForbidden(command: string, args: readonly string[]): boolean {
  const { stderr = "", status } = spawnSync(command, args, { encoding: "utf8" });
  const forbidden =
    status !== 0 && /not permitted|permission denied|must be superuser/i.test(stderr);
  if (forbidden)
    console.warn(`Skipped, since it is not allowed here: ${command} (${stderr.trim()})`);
  return forbidden;
}

/** The process table, signals and strace are specific to Linux. */
export const IS_LINUX = process.platform === "linux";

/** Prints the report, and fails if it has violations. */
export function holds(report: Report): void {
  console.log(reportInWords(report));
  expect(report.violations).toEqual([]);
}
