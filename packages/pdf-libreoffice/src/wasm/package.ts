import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** LibreOffice as WebAssembly, complete in an npm package: 80 MB to download, 240 MB on disk. */
export const WASM_PACKAGE = "@matbee/libreoffice-converter";

/** Memory that one WebAssembly lane needs, in MiB, not counting the documents. */
export const WASM_LANE_MB = 1_500;

/** Returns the folder of the package; null if the user has not installed the package next to this one. */
export function findWasmPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${WASM_PACKAGE}/package.json`));
  } catch {
    return null;
  }
}

/** Returns a name for the package's LibreOffice, which does not report its version. */
export async function wasmVersion(packageFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"));
  return `as WebAssembly (${WASM_PACKAGE} ${version})`;
}

const PROGRAM = "soffice.cjs";

/**
 * Replacements in the program's source code. If LibreOffice starts a thread while all preallocated threads are in use,
 * the thread never runs and LibreOffice waits for it forever. Therefore, more threads are preallocated, and settings
 * make LibreOffice start fewer threads.
 */
const MENDED: readonly (readonly [from: string, to: string])[] = [
  ["pthreadPoolSize=4", "pthreadPoolSize=8"],
  [
    'ENV.SAL_LOG="+WARN"',
    'ENV.SAL_LOG="+WARN";ENV.SAX_DISABLE_THREADS="1";ENV.MAX_CONCURRENCY="1"',
  ],
  // Node would search for this module in every folder above the temporary folder, and other users may write to some of
  // these.
  ['require("ws")', "undefined"],
];

/**
 * Creates a folder from which the package's LibreOffice is loaded, with fixes for its stalls if they still apply.
 * Replaces an existing folder. The new folder is complete as soon as it exists.
 */
export async function prepareWasm(packageFolder: string, folder: string): Promise<void> {
  const source = join(packageFolder, "wasm");
  const draft = `${folder}.new`;
  await rm(folder, { recursive: true, force: true });
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  for (const name of await readdir(source)) {
    // Code files are copied, because they load other files from their own folder, and Node resolves links to the
    // original folder.
    if (!name.endsWith(".cjs")) await symlink(join(source, name), join(draft, name));
    else if (name !== PROGRAM) await copyFile(join(source, name), join(draft, name));
  }
  const program = await readFile(join(source, PROGRAM), "utf8");
  const mended = MENDED.reduce((text, [from, to]) => text.replaceAll(from, to), program);
  await writeFile(join(draft, PROGRAM), mended);
  await rename(draft, folder);
}

/**
 * Whether a folder from {@link prepareWasm} is complete. A cleaner of temporary folders may have deleted some files.
 */
export async function isWasmReady(packageFolder: string, folder: string): Promise<boolean> {
  const names = await readdir(join(packageFolder, "wasm"));
  return names.every((name) => existsSync(join(folder, name)));
}

/** Returns the path of the file to load from a folder that {@link prepareWasm} created. */
export function loaderIn(folder: string): string {
  return join(folder, "loader.cjs");
}
