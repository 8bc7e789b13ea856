import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { asRoot } from "./as-root.ts";

const run = promisify(execFile);

const REMOUNTS = 200;

/** A small file system of its own over a folder. It goes away with its content when it is disposed. */
export interface Mount extends AsyncDisposable {
  /** Gives it another size, or makes it read-only or writable, as options of mount(8). */
  change(options: string): Promise<void>;
}

/** Mounts a tmpfs. Throws what is to be done where that is not allowed. */
export async function mountSmall(path: string, options: string): Promise<Mount> {
  try {
    await run(
      ...asRoot("mount", ["-t", "tmpfs", "-o", `${options},mode=777`, "quire-chaos", path]),
    );
  } catch (error) {
    throw new Error(
      "A tmpfs cannot be mounted here. Run as root, in a container with CAP_SYS_ADMIN, or leave the " +
        "tests of full and read-only disks out with QUIRE_CHAOS_SKIP=mount.",
      { cause: error },
    );
  }
  return {
    async change(changed) {
      await remount(path, changed);
    },
    async [Symbol.asyncDispose]() {
      // What a process that is just ending still has open does not keep it mounted.
      await run(...asRoot("umount", ["-l", path]));
    },
  };
}

/** A file system does not become read-only while a file of it is open for writing: then it is tried again. */
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
