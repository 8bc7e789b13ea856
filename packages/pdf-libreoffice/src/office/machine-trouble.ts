import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** With less free space than this, any failure of LibreOffice may be due to it. */
const MIN_FREE_BYTES = 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "is full",
  EDQUOT: "is full, because its quota is used up",
  EROFS: "is read-only",
  EIO: "has input/output errors",
};

/**
 * Why a folder for temporary files cannot be used at present, as the end of a sentence; null if it can be used, or if it
 * does not exist. A failure while this is not null says nothing about a document.
 */
export function folderTrouble(folder: string): string | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    if (free < MIN_FREE_BYTES) return `is full (${Math.floor(free / 1024)} KB are free)`;
    const probe = join(folder, `probe-${process.pid}`);
    writeFileSync(probe, "probe");
    rmSync(probe, { force: true });
    return null;
  } catch (error) {
    return REASONS[codeOf(error)] ?? null;
  }
}

/** Whether no process can be started at present, because of a limit or a lack of memory. */
export function lacksProcesses(): boolean {
  const { error } = spawnSync("/bin/true", { stdio: "ignore", timeout: 5_000 });
  return ["EAGAIN", "ENOMEM"].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
