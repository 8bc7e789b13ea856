import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { stateOf } from "./laboratory.ts";

/**
 * Whether the process whose id is in a file ends within five seconds. Rejects if the file does not exist, because then
 * the process never ran.
 */
export async function isGone(file: string): Promise<boolean> {
  const id = Number(await readFile(file, "utf8"));
  for (let attempt = 0; attempt < 100; attempt += 1) {
    // A process that has ended is a zombie until its new parent collects it, which may take seconds.
    if ([null, "Z"].includes(stateOf(id))) return true;
    await sleep(50);
  }
  return false;
}
