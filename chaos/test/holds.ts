import { spawnSync } from "node:child_process";
import { expect } from "vitest";
import { type Report, reportInWords } from "../support/report.ts";

/** Longer than any of these tests takes: a scenario itself ends what hangs, and reports it. */
export const LIMIT_MS = 900_000;

/**
 * What is left out: what the environment says (`QUIRE_CHAOS_SKIP=strace,mount`), and what the system does not allow,
 * as in a container without the rights to trace and to mount. Nothing is left out silently; a strace that is missing
 * is a failure.
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
    console.warn(`Left out, since it is not allowed here: ${command} (${stderr.trim()})`);
  return forbidden;
}

/** The processes of others, signals and strace are Linux. */
export const IS_LINUX = process.platform === "linux";

/** Tells what was tried, and fails with what was found. */
export function holds(report: Report): void {
  console.log(reportInWords(report));
  expect(report.violations).toEqual([]);
}
