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

/** LibreOffice as WebAssembly, whole in an npm package: 80 MB to download, 240 MB on the disk. */
export const WASM_PACKAGE = "@matbee/libreoffice-converter";

/** What one lane with it takes of memory, in MiB, beside what documents take. */
export const WASM_LANE_MB = 1_500;

/** The folder of the package where the user installed it beside this one, or null. */
export function findWasmPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${WASM_PACKAGE}/package.json`));
  } catch {
    return null;
  }
}

/** What to call the LibreOffice of the package: it does not tell its own version. */
export async function wasmVersion(packageFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"));
  return `as WebAssembly (${WASM_PACKAGE} ${version})`;
}

const PROGRAM = "soffice.cjs";

/**
 * What of the program's text is written otherwise. A thread that LibreOffice starts when all that were made
 * beforehand are in use never begins, and LibreOffice waits for it for good: so there are more of them, and it is
 * told to start fewer.
 */
const MENDED: readonly (readonly [from: string, to: string])[] = [
  ["pthreadPoolSize=4", "pthreadPoolSize=8"],
  [
    'ENV.SAL_LOG="+WARN"',
    'ENV.SAL_LOG="+WARN";ENV.SAX_DISABLE_THREADS="1";ENV.MAX_CONCURRENCY="1"',
  ],
  // A socket would be looked for in the folders above the temporary one, which others may write to.
  ['require("ws")', "undefined"],
];

/**
 * Makes a folder from which the package's LibreOffice is loaded, with what makes it stand still mended where it is
 * still written so. It replaces what was there, and is whole when it is there.
 */
export async function prepareWasm(packageFolder: string, folder: string): Promise<void> {
  const source = join(packageFolder, "wasm");
  const draft = `${folder}.new`;
  await rm(folder, { recursive: true, force: true });
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  for (const name of await readdir(source)) {
    // What is loaded as code looks for the rest beside itself, and Node takes it from where a link leads.
    if (!name.endsWith(".cjs")) await symlink(join(source, name), join(draft, name));
    else if (name !== PROGRAM) await copyFile(join(source, name), join(draft, name));
  }
  const program = await readFile(join(source, PROGRAM), "utf8");
  const mended = MENDED.reduce((text, [from, to]) => text.replaceAll(from, to), program);
  await writeFile(join(draft, PROGRAM), mended);
  await rename(draft, folder);
}

/** Whether such a folder has everything: a cleaner of temporary folders may have taken some. */
export async function isWasmReady(packageFolder: string, folder: string): Promise<boolean> {
  const names = await readdir(join(packageFolder, "wasm"));
  return names.every((name) => existsSync(join(folder, name)));
}

/** The file to load from a folder that {@link prepareWasm} made. */
export function loaderIn(folder: string): string {
  return join(folder, "loader.cjs");
}
