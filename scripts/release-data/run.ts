/** Data of `quire run`, which is killed while it works. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { foldLog } from "./fold-log.ts";
import { letter } from "./letter.ts";

/** The path of the CLI in this checkout. */
export const MAIN = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
/** The folder in which the run is started and later resumed, because the key of a run contains absolute paths. */
export const RUN_FOLDER = "/tmp/quire-release-data";
const ENTRIES = 40;
const SOME = 5;
const TRIES = 20;

/** Creates the folder with the template, the data, some of the 40 documents, and the journal. */
export async function makeRunData(folder: string): Promise<void> {
  await mkdir(RUN_FOLDER);
  try {
    await killInTheMiddle(RUN_FOLDER);
    foldLog(join(RUN_FOLDER, "out.quire.db"));
    await cp(RUN_FOLDER, folder, { recursive: true });
  } finally {
    await rm(RUN_FOLDER, { recursive: true });
  }
}

async function killInTheMiddle(folder: string): Promise<void> {
  await writeFile(join(folder, "letter.docx"), letter("Dear {{name}}"));
  const lines = Array.from({ length: ENTRIES }, (_, index) => `{"name":"Ann ${index + 1}"}\n`);
  await writeFile(join(folder, "data.jsonl"), lines.join(""));
  for (let left = TRIES; left > 0; left--) {
    await mkdir(join(folder, "out"));
    await killedRun(folder);
    const { length } = await documentsIn(folder);
    if (length >= SOME && length <= ENTRIES - SOME) return;
    for (const name of await readdir(folder)) {
      if (name.startsWith("out")) await rm(join(folder, name), { recursive: true });
    }
  }
  throw new Error(`The run could not be killed during its work in ${TRIES} attempts.`);
}

async function killedRun(cwd: string): Promise<void> {
  const watcher = watch(join(cwd, "out"));
  const args = ["run", "letter.docx", "--data", "data.jsonl", "--to", "docx", "--out", "out"];
  const child = spawn(process.execPath, [MAIN, ...args, "--concurrency", "1"], {
    cwd,
    stdio: "ignore",
  });
  let made = 0;
  watcher.on("change", (_, name) => {
    if (name?.toString().endsWith(".docx")) made += 1;
    if (made >= SOME) child.kill("SIGKILL");
  });
  await once(child, "close");
  watcher.close();
}

async function documentsIn(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, "out"));
  return names.filter((name) => name.endsWith(".docx"));
}
