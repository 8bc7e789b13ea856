/**
 * `npm run release-data` writes the data that this release leaves on a disk, as fixtures for later releases. Later
 * releases must open and finish this data (`packages/cli/test/releases.test.ts`). Run it once for each release.
 * Existing data never changes. Works only on Linux, because it kills its child processes while they work.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeEngineData } from "./engine.ts";
import { makeRunData } from "./run.ts";
import { makeServiceData } from "./service.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const manifest = readFileSync(join(ROOT, "packages/cli/package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };
const target = process.argv[2] ?? join(ROOT, "packages/cli/test/releases", version);

if (existsSync(target)) {
  console.error(`Data of ${version} already exists and must not change. Raise the version first.`);
  process.exitCode = 1;
} else {
  await mkdir(target, { recursive: true });
  await makeEngineData(join(target, "engine"));
  await makeRunData(join(target, "run"));
  await makeServiceData(join(target, "service"));
  console.log(`The data of ${version} is in ${target}.`);
}
