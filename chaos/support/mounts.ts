import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { asRoot } from "./as-root.ts";

const run = promisify(execFile);

const REMOUNTS = 200;

/** A small, separate file system at the path of a folder. Disposing it removes the file system and its content. */
export interface Mount extends AsyncDisposable {
  /** Changes the size of the file system, or makes it read-only or writable, with options of mount(8). */
  change(options: string): Promise<void>;
}

/** Mounts a tmpfs. If this is not allowed, throws an error that says what to do. */
export async function mountSmall(path: string, options: string): Promise<Mount> {
  try {
    await run(
      ...asRoot("mount", ["-t", "tmpfs", "-o", `${options},mode=777`, "quire-chaos", path]),
    );
  } catch (error) {
    throw new Error(
      "A tmpfs cannot be mounted here. Run as root, in a container with CAP_SYS_ADMIN, or skip the " +
        "tests of full and read-only disks with QUIRE_CHAOS_SKIP=mount.",
      { cause: error },
    );
  }
  return {
    async change(changed) {
      await remount(path, changed);
    },
    async [Symbol.asyncDispose]() {
      // A lazy unmount works even if a process that is about to end still has files open.
      await run(...asRoot("umount", ["-l", path]));
    },
  };
}

/** Remounts a file system. Retries, because it cannot become read-only while one of its files is open for writing. */
async function remount(path: string, options: string): Promise<void> {
  for (let left = REMOUNTS; ; left--) {
    try {
      await run(...asRoot("mount", ["-o", `remount,${options}`, path]));
      return;
    } catch (error) {
      if (left === 0 || !String(error).includes("busy")) throw error;
      await sleep(5);
    }
  }
}
