/**
 * `npm run sbom -- FILE` writes all packages that the published packages install, as CycloneDX, from the lock file and
 * without network access. npm creates the list from a reduced lock file. With the whole lock file,
 * `npm sbom --omit=dev` would omit packages that are also a dev dependency somewhere, such as pdf-lib and zod.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { productionPackages, publishedFolders, readLockFile } from "./production-packages.ts";

const ROOT = join(import.meta.dirname, "..");
const ARGUMENTS = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--offline"];

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("The name of the output file is missing. Example: npm run sbom -- quire.cdx.json.");
  process.exitCode = 1;
} else {
  const home = mkdtempSync(join(tmpdir(), "quire-sbom-"));
  try {
    writeFileSync(resolve(file), componentsOf(join(home, "quire")));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Returns npm's list for a project that contains only the published packages and their dependencies. */
function componentsOf(project: string): string {
  const lock = readLockFile();
  const workspaces = publishedFolders();
  const kept = new Set(workspaces.flatMap((from) => [from, ...productionPackages(lock, from)]));
  const root = { ...manifestIn(""), workspaces };
  const packages: Record<string, unknown> = { "": root };
  for (const [folder, locked] of Object.entries(lock.packages)) {
    const isKept = kept.has(locked.link === true ? (locked.resolved ?? "") : folder);
    if (isKept) packages[folder] = withoutDev(locked);
  }
  write(project, "package.json", root);
  write(project, "package-lock.json", { ...lock, packages });
  for (const folder of workspaces) write(join(project, folder), "package.json", manifestIn(folder));
  return execFileSync("npm", ARGUMENTS, { cwd: project, encoding: "utf8" });
}

function manifestIn(folder: string): object {
  return withoutDev(JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")));
}

function withoutDev(manifest: object): object {
  return { ...manifest, devDependencies: {} };
}

function write(folder: string, name: string, content: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(content));
}
