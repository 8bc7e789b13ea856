import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { type Report, reportInWords } from "../support/report.ts";

/** A time limit that none of these tests reaches, because the scenarios end and report programs that hang. */
export const LIMIT_MS = 900_000;

/**
 * The kinds of faults to skip: those that the environment names (`QUIRE_CHAOS_SKIP=strace,mount`), and those that the
 * system does not allow, as in a container without permission to trace and to mount. Each skip is printed. A missing
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

/** The scenarios need Linux, because they use its process table, signals and strace. */
export const IS_LINUX = process.platform === "linux";

/** Prints the report. Fails if the report has violations. */
export function holds(report: Report): void {
  console.log(reportInWords(report));
  expect(report.violations).toEqual([]);
}
