/**
 * `npm run mutation` tests the tests. It inserts each fault of `faults.json` into the sources, one after the other,
 * runs the fast tests and restores the file. It prints the test that caught each fault, and exits with 1 if a fault
 * that is not in `survivors.json` survives. It takes an hour or more. The working tree must be clean.
 *
 *     npm run mutation                      all faults
 *     npm run mutation -- 3 17              two of them, by number
 *     npm run mutation -- --pick SEED N     picks N faults that compile, and prints them
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Fault, pickFaults } from "./pick-faults.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TESTS = [
  "vitest",
  "run",
  "--project",
  "pure",
  "--project",
  "processes",
  "--bail",
  "1",
  "--retry",
  "1",
];

const args = process.argv.slice(2);
if (run("git", ["status", "--porcelain", "packages"]).output !== "") {
  throw new Error("The working tree has changes. Commit them first: each fault restores its file.");
}
if (args[0] === "--pick") {
  printPicked(Number(args[1]), Number(args[2]));
} else {
  const numbers = args.map(Number);
  const faults = readList<Fault>("faults.json");
  const known = new Set(readList<{ number: number }>("survivors.json").map((each) => each.number));
  for (const [index, fault] of faults.entries()) {
    const number = index + 1;
    if (numbers.length > 0 && !numbers.includes(number)) continue;
    const caughtBy = withFault(fault, () => firstFailure(fault));
    console.log(`${number}. ${fault.file}: ${caughtBy ?? "SURVIVED"}`);
    if (caughtBy === null && !known.has(number)) process.exitCode = 1;
  }
}

function printPicked(seed: number, count: number): void {
  const sources = ["packages/*/src/*.ts", ":!packages/conformance"]; // excludes tests
  const files = run("git", ["ls-files", ...sources])
    .output.trim()
    .split("\n");
  const picked: Fault[] = [];
  for (const fault of pickFaults(ROOT, files, { seed, count: files.length })) {
    if (picked.length === count) break;
    if (withFault(fault, builds)) picked.push(fault);
  }
  console.log(JSON.stringify(picked, null, 2));
}

function withFault<T>({ file, line, becomes }: Fault, body: () => T): T {
  const path = join(ROOT, file);
  const text = readFileSync(path, "utf8");
  const lines = text.split("\n");
  const index = lines.findIndex((each) => each.trim() === line);
  if (index < 0)
    throw new Error(`${file} has no line ${JSON.stringify(line)}. Pick another fault.`);
  lines[index] = becomes;
  const restore = (): void => writeFileSync(path, text);
  process.once("exit", restore);
  try {
    writeFileSync(path, lines.join("\n"));
    return body();
  } finally {
    restore();
    process.off("exit", restore);
  }
}

/** Returns the first failing test, or null. The package's own tests run first. */
function firstFailure({ file }: Fault): string | null {
  if (!builds()) return "the build";
  const own = file.split("/").slice(0, 2).join("/");
  return failureOf([`${own}/test`]) ?? failureOf(["--exclude", `${own}/test/**`]);
}

function failureOf(selection: readonly string[]): string | null {
  const folder = mkdtempSync(join(tmpdir(), "quire-mutation-"));
  try {
    const report = join(folder, "report.json");
    const { ok } = run("npx", [
      ...TESTS,
      "--reporter=json",
      `--outputFile=${report}`,
      ...selection,
    ]);
    return ok ? null : failedTest(report);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function failedTest(report: string): string {
  if (!existsSync(report)) return "the test runner";
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[];
  };
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === "failed");
    if (failed !== undefined) return `${name.slice(ROOT.length)}: ${failed.fullName}`;
  }
  return "a test file";
}

function builds(): boolean {
  return run("npm", ["run", "--silent", "build"]).ok;
}

function run(command: string, given: readonly string[]) {
  const { status, stdout } = spawnSync(command, given, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { ok: status === 0, output: stdout };
}

function readList<T>(name: string): T[] {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as T[];
}
