import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Report } from "../support/report.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the fault tests of all packages: the files `*.chaos.test.ts`. They print their own results. */
export async function faultTests(): Promise<Report> {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "chaos"];
  const vitest = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
  const [code] = await once(vitest, "exit");
  return {
    scenario: "Fault tests of the packages",
    tried: "all files *.chaos.test.ts",
    violations: code === 0 ? [] : ["At least one test failed; see above."],
  };
}
