/**
 * Checks the packages as users get them. Packs each package, lints the tarball (`publint`, `attw`), installs the
 * tarballs into empty projects, and type-checks and runs programs in these projects. With `--all`, also does this with
 * the other runtimes, compilers and bundlers of docs/runtimes.md, which it installs (400 MB).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lint } from "./lint.ts";
import { checkOthers } from "./others.ts";
import { packAll } from "./packages.ts";
import { checkAdapter, checkLight, checkLinked, checkProject } from "./projects.ts";

await main(process.argv.includes("--all"));

async function main(all: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "quire-packages-"));
  try {
    const packages = await packAll(folder);
    const project = join(folder, "project");
    const checks = [
      ...packages.map(lint),
      checkProject(packages, project),
      checkAdapter(packages, join(folder, "adapter")),
      checkLight(packages, join(folder, "light")),
      checkLinked(join(folder, "linked")),
    ];
    for (const check of await Promise.allSettled(checks)) {
      if (check.status === "fulfilled") console.log(check.value);
      else report(check.reason);
    }
    if (all && process.exitCode === undefined) {
      await checkOthers(packages, project, { done: console.log, failed: report });
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
