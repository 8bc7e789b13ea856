import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const FLAGS = ["--disallow-code-generation-from-strings", "--disable-proto=throw"];

/** Runs a program of `support` in a process of its own. */
async function child(
  flags: readonly string[],
  program: string,
  ...rest: readonly string[]
): Promise<string> {
  const path = fileURLToPath(new URL(`support/${program}`, import.meta.url));
  const { stdout } = await run(process.execPath, ["--no-warnings", ...flags, path, ...rest]);
  return stdout;
}

test("a process that forbids code from texts and '__proto__' renders the same bytes", async () => {
  expect(await child(FLAGS, "render-child.ts", "forward")).toBe(
    await child([], "render-child.ts", "forward"),
  );
}, 60_000);

test("a process that forbids them refuses, renders and runs batches of whatever the language has", async () => {
  expect(JSON.parse(await child(FLAGS, "hardened-child.ts"))).toEqual(
    JSON.parse(await child([], "hardened-child.ts")),
  );
}, 60_000);
