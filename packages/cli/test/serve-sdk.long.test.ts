/** The official SDK's own tests against `quire serve`. serve-sdk.test.ts tests the same calls with its client. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makePlace } from "./support/cli.ts";
import { atEnd, serve, TOKEN } from "./support/serve.ts";

const VITEST = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));
const SUITE = fileURLToPath(new URL("support/sdk-suite.config.ts", import.meta.url));

test("The SDK's own tests of Doc Gen pass against a fresh service", async () => {
  const place = await makePlace();
  const service = await serve(place);
  const child = spawn(
    process.execPath,
    [VITEST, "run", "--config", SUITE, "--reporter=json", `--outputFile=${place.path("sdk.json")}`],
    {
      cwd: place.folder,
      env: { ...process.env, QUIRE_TEST_URL: service.url, QUIRE_TEST_TOKEN: TOKEN },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  atEnd(() => {
    child.kill("SIGKILL");
  });
  const [, stderr] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  const report = await readFile(place.path("sdk.json"), "utf8").catch(() => "{}");
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(report);
  const told = JSON.stringify(testResults) + stderr.toString();
  expect([numPassedTests, numTotalTests], told).toEqual([2, 2]);
}, 180_000);
