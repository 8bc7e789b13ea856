/**
 * Checks the packages as users get them: packs each package, lints the tarball (`publint`, `attw`), installs the
 * tarballs into empty projects, and type-checks and runs programs with them there.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lint } from "./lint.ts";
import { packAll } from "./packages.ts";
import { checkAdapter, checkLight, checkLinked, checkProject } from "./projects.ts";

await main();

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "quire-packages-"));
  try {
    const packages = await packAll(folder);
    const checks = [
      ...packages.map(lint),
      checkProject(packages, join(folder, "project")),
      checkAdapter(packages, join(folder, "adapter")),
      checkLight(packages, join(folder, "light")),
      checkLinked(join(folder, "linked")),
    ];
    for (const check of await Promise.allSettled(checks)) {
      if (check.status === "fulfilled") console.log(check.value);
      else report(check.reason);
    }
  } catch (error) {
    report(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function report(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
