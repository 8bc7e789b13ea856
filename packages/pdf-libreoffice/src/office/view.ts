import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A process's view of the file system: the system's files and a private folder. */
export interface View {
  /** With `namespace`, nothing else exists. With `landlock`, the process gives up the right to open anything else. */
  readonly by: "namespace" | "landlock";
  /** The only folder that the process may write to. Its subfolder `root` is reserved for the view. */
  readonly folder: string;
  /** Existing folders and files that the process may read. */
  readonly readable: readonly string[];
  /** The socket that the process connects to, and the name of the socket within the view, or null. */
  readonly socket: { readonly path: string; readonly name: string } | null;
  /**
   * Replaces the folder with a private folder in memory that has a size limit. At first, the private folder contains a
   * copy of a profile. Its subfolder `work` is the one of the real folder, read-only. If this is null, the folder
   * itself is visible. Only for `namespace`.
   */
  readonly ownFolder: { readonly profile: string; readonly roomMb: number } | null;
}

/**
 * Returns shell commands that put a process with separate mounts into a view. The process cannot reach any other file,
 * because the old root is unmounted.
 */
export function enterView(
  { folder, readable, socket, ownFolder }: View,
  { ownProcesses }: { readonly ownProcesses: boolean },
): string[] {
  const root = join(folder, "root");
  const own = root + folder;
  const folders = readable.filter((path) => statSync(path).isDirectory());
  const files = readable.filter((path) => !folders.includes(path));
  const made = [...folders, ...files.map((path) => dirname(path)), "/proc", "/tmp", "/old", folder];
  const within = [...new Set(made)].map((path) => `'${root}${path}'`);
  const table = [
    ...readable.map((path) => `${path} ${root}${path} none rbind,ro 0 0`),
    ownProcesses
      ? `none ${root}/proc proc nosuid,nodev,noexec 0 0`
      : `/proc ${root}/proc none rbind 0 0`,
    ownFolder === null
      ? `${folder} ${root}${folder} none bind 0 0`
      : `${folder}/work ${root}${folder}/work none bind,ro 0 0`,
  ];
  return [
    "PATH=$PATH:/usr/sbin:/sbin",
    "set -e",
    `mkdir -p '${root}'`,
    `mount -t tmpfs -o mode=0700,size=16m none '${root}'`,
    `mkdir -p ${within.join(" ")}`,
    ...(ownFolder === null ? [] : furnish(own, ownFolder)),
    ...files.map((path) => `: >'${root}${path}'`),
    `cat >'${root}/table' <<'END'\n${table.join("\n")}\nEND`,
    // Some systems forbid making a mount read-only. The files are at least readable there.
    `mount -a -T '${root}/table' || :`,
    ...(socket === null
      ? []
      : [
          `: >'${root}/tmp/${socket.name}'`,
          `mount --bind '${socket.path}' '${root}/tmp/${socket.name}'`,
        ]),
    `cd '${root}'`,
    "pivot_root . old",
    "umount -n -l /old",
    "rm /table",
    "rmdir /old",
    `cd '${folder}'`,
    "set +e",
  ];
}

function furnish(
  folder: string,
  { profile, roomMb }: NonNullable<View["ownFolder"]>,
): readonly string[] {
  return [
    `mount -t tmpfs -o mode=0700,size=${roomMb}m none '${folder}'`,
    `mkdir '${folder}/work' '${folder}/home' '${folder}/tmp'`,
    `cp -R '${profile}' '${folder}/profile'`,
  ];
}
