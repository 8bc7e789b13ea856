/**
 * `npm run chaos` runs the fault tests of all packages (the scenario `tests`, a quarter of an hour), and then the other
 * scenarios in full. They take an hour or two, and require Linux, root and strace.
 * `npm run chaos -- crash-points clocks` runs some scenarios; `npm run chaos -- --list` lists them. `many-machines` takes
 * hours, and runs only if it is named. The exit code is 1 if anything was lost, created twice or left behind.
 * `npm run test:long` runs a short form of most scenarios.
 */
import { ONLY_BY_NAME, SCENARIOS } from "./scenarios/all.ts";
import { reportInWords } from "./support/report.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => name !== "--list" && !(name in SCENARIOS));
if (unknown.length > 0 || wanted.includes("--list")) {
  if (unknown.length > 0) process.exitCode = 2;
  console.log(`Scenarios: ${Object.keys(SCENARIOS).join(", ")}.`);
} else {
  for (const [name, run] of Object.entries(SCENARIOS)) {
    const isWanted = wanted.length === 0 ? !ONLY_BY_NAME.has(name) : wanted.includes(name);
    if (isWanted) await runScenario(name, run);
  }
}

async function runScenario(name: string, run: (typeof SCENARIOS)[string]): Promise<void> {
  const start = performance.now();
  const report = await run((text) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${name}: ${text} `);
  });
  if (process.stdout.isTTY) process.stdout.write("\r");
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${reportInWords(report)}\n  ${seconds} s`);
  if (report.violations.length > 0) process.exitCode = 1;
}
