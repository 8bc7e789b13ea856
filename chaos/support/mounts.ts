import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { asRoot } from "./as-root.ts";

const run = promisify(execFile);

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
      await run(...asRoot("mount", ["-o", `remount,${changed}`, path]));
    },
    async [Symbol.asyncDispose]() {
      // What a process that is just ending still has open does not keep it mounted.
      await run(...asRoot("umount", ["-l", path]));
    },
  };
}
