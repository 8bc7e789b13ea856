import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, type Packed, ROOT, readManifest, run } from "./packages.ts";

/** Lints a packed package. `attw` checks types, and a package with only a program has no types. */
export async function lint({ name, version, bin, tarball }: Packed): Promise<string> {
  await run(join(BIN, "publint"), ["run", tarball, "--strict"], ROOT);
  if (bin !== undefined) return `ok  ${name} ${version}  publint`;
  const options = ["--profile", "esm-only", "--no-definitely-typed", "--no-emoji", "--no-color"];
  await run(join(BIN, "attw"), [tarball, ...options], ROOT);
  return `ok  ${name} ${version}  publint, attw`;
}

/**
 * Checks that the installed package is the packed package and is installed only once. It must contain its licence and
 * the targets of all links in its README.
 */
export function checkInstalled({ name, version }: Packed, folder: string): void {
  const installed = join(folder, "node_modules", name);
  const found = readManifest(installed).version;
  if (found !== version) throw new Error(`${name} ${found} was installed instead of ${version}.`);
  if (existsSync(join(installed, "node_modules", "@quire"))) {
    throw new Error(
      `${name} installed another copy of a @quire package. Check its version ranges.`,
    );
  }
  const links = relativeLinks(readFileSync(join(installed, "README.md"), "utf8"));
  for (const file of ["LICENSE", "dist", ...links]) {
    if (file.startsWith("..") || !existsSync(join(installed, file)))
      throw new Error(`The tarball of ${name} lacks ${file}.`);
  }
}

function relativeLinks(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)\s#]+)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}
