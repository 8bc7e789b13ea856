import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const BUILT = new URL("../../docx/test/support/built-code.ts", import.meta.url).href;
const FLAGS = ["--disallow-code-generation-from-strings", "--disable-proto=throw"];

/** Runs a program in a separate process, with the built code. */
async function child(
  flags: readonly string[],
  program: string,
  ...rest: readonly string[]
): Promise<string> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const args = ["--no-warnings", "--import", BUILT, ...flags, path, ...rest];
  const { stdout } = await run(process.execPath, args);
  return stdout;
}

test("a process that forbids code from strings and '__proto__' renders the same bytes", async () => {
  const both = [FLAGS, []].map((flags) =>
    child(flags, "../../docx/test/support/render-child.ts", "forward"),
  );
  const [strict, usual] = await Promise.all(both);
  expect(strict).toBe(usual);
}, 60_000);

test("a hardened process renders, rejects and runs batches with every feature of the language", async () => {
  const both = [FLAGS, []].map((flags) => child(flags, "support/hardened-child.ts"));
  const [strict = "", usual = ""] = await Promise.all(both);
  expect(JSON.parse(strict)).toEqual(JSON.parse(usual));
}, 60_000);
