import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { QuireError } from "@quire/contracts";
import { toQuireError } from "./sqlite-errors.ts";

/** What the file next to a job store says that is being moved, or was moved, to other stores. */
export interface MovedMark {
  /** Identifies the move. */
  readonly id: string;
  /** The other stores, in words. */
  readonly target: string;
  /** The number of migrations of the job store. */
  readonly schema: number;
  /** The wall clock minus the machine's monotonic clock when the move began, in milliseconds. */
  readonly clock: number;
  /** ISO times. */
  readonly begunAt: string;
  readonly finishedAt: string | null;
}

/** Returns the path of the mark of a job store. Whoever removes it uses the job store again. */
export function markPath(path: string): string {
  return `${path}-moved`;
}

/** Returns the mark of a job store; null if it is not moved. */
export function readMark(path: string): MovedMark | null {
  const file = markPath(path);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw toQuireError(error, path);
  }
  try {
    return JSON.parse(text) as MovedMark;
  } catch (cause) {
    throw new QuireError(
      "job_store_failed",
      `The file ${JSON.stringify(file)} is damaged. It says where the job store was moved. If nobody has moved it, remove the file.`,
      { cause },
    );
  }
}

/** Writes the mark durably: after a crash, the file is complete or as it was before. */
export function writeMark(path: string, mark: MovedMark): void {
  const file = markPath(path);
  const draft = `${file}.tmp`;
  try {
    const fd = openSync(draft, "w", 0o600);
    try {
      writeSync(fd, `${JSON.stringify(mark, null, 2)}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, file);
    if (process.platform === "win32") return; // Windows cannot sync folders
    const folder = openSync(dirname(file), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    throw toQuireError(error, path);
  }
}

/** Throws `conflict` if the job store is being moved or was moved. */
export function assertNotMoved(path: string): void {
  const mark = readMark(path);
  if (mark === null) return;
  const { target, begunAt, finishedAt } = mark;
  const [name, file] = [path, markPath(path)].map((each) => JSON.stringify(each));
  throw new QuireError(
    "conflict",
    finishedAt === null
      ? `The job store ${name} is being moved to ${target}. The move began on ${begunAt} and is not finished, so nothing else may use the job store. Run the same command again to finish the move. To give up the move, remove the file ${file}, and do not use the rows that the move has written.`
      : `The job store ${name} was moved to ${target} on ${finishedAt}, so it must not be used any more. To use it again, first stop everything that uses the new place, then remove the file ${file}. Changes since the move are only in the new place.`,
  );
}
