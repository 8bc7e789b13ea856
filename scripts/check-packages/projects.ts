import { readdirSync, statSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkInstalled } from "./lint.ts";
import { BIN, createProject, type Packed, ROOT, run } from "./packages.ts";

const PROGRAMS = join(import.meta.dirname, "programs");
const EXAMPLES = join(ROOT, "examples");

/** The maximum size in bytes of the packages that a user installs to render a docx. */
const LIGHT_BYTES = 13_000_000;

/** Values of TypeScript's `module` option. Each one has the kinds of modules that can import Quire's packages. */
const MODULE_SETTINGS = [
  ["node16", ["typed.mts"]],
  ["node18", ["typed.mts"]],
  ["node20", ["typed.mts", "typed.cts"]],
  ["nodenext", ["typed.mts", "typed.cts", "every-entry.ts"]],
  ["esnext", ["typed.mts", "every-entry.ts"], ["--moduleResolution", "bundler"]],
] as const;

/** Installs all packages into a project, which `checkOthers` also uses, and runs the programs of `programs` in it. */
export async function checkProject(packages: readonly Packed[], folder: string): Promise<string> {
  const tarballs = packages.map((entry) => entry.tarball);
  await createProject(folder, tarballs);
  for (const entry of packages) checkInstalled(entry, folder);
  await writePrograms(folder);
  await checkTypes(join(BIN, "tsc"), folder);
  const built = ["built/every-entry.js", "built/typed.mjs", "built/typed.cjs"];
  for (const program of [...built, "render.mjs", "render.cjs"]) {
    await run("node", [program], folder);
  }
  await checkVersion(packages, join(folder, "node_modules", ".bin", "quire"), folder);
  return "ok  the packed packages install, type-check and run in an empty project, from ES modules and CommonJS";
}

/** Writes each program once as an ES module and once as CommonJS, next to the files that it reads. */
async function writePrograms(folder: string): Promise<void> {
  await copyLetter(folder);
  await copyFile(join(PROGRAMS, "every-entry.ts"), join(folder, "every-entry.ts"));
  for (const extension of ["mts", "cts"]) {
    await copyFile(join(PROGRAMS, "typed.ts"), join(folder, `typed.${extension}`));
  }
  for (const name of ["render", "batch"]) {
    const program = await readFile(join(PROGRAMS, `${name}.js`), "utf8");
    await writeFile(join(folder, `${name}.mjs`), program);
    const required = program.replaceAll(/^import (.+) from (".+");$/gm, "const $1 = require($2);");
    await writeFile(join(folder, `${name}.cjs`), required);
  }
}

async function copyLetter(folder: string): Promise<void> {
  await copyFile(join(EXAMPLES, "templates", "letter.docx"), join(folder, "letter.docx"));
  await copyFile(join(EXAMPLES, "data", "letter.json"), join(folder, "letter.json"));
}

/** Type-checks the programs with each setting and compiles them into the folder `built`. */
export async function checkTypes(tsc: string, folder: string): Promise<void> {
  const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")];
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2023", ...types];
  for (const [module, files, options = []] of MODULE_SETTINGS) {
    const output = module === "nodenext" ? ["--outDir", "built"] : ["--noEmit"];
    await run(tsc, [...strict, "--module", module, ...options, ...output, ...files], folder);
  }
}

/** Checks that the command prints the version of its package. */
export async function checkVersion(
  packages: readonly Packed[],
  quire: string,
  folder: string,
): Promise<void> {
  const cli = packages.find((entry) => entry.bin !== undefined);
  const version = (await run(quire, ["--version"], folder)).trim();
  if (cli === undefined || version !== cli.version) {
    throw new Error(`\`quire --version\` printed "${version}", not ${cli?.version}.`);
  }
}

export async function checkAdapter(packages: readonly Packed[], folder: string): Promise<string> {
  await runIn(folder, ["@quire/contracts", "@quire/storage-fs"], packages, "adapter.js");
  return "ok  @quire/storage-fs installs @quire/contracts and nothing else";
}

export async function checkLight(packages: readonly Packed[], folder: string): Promise<string> {
  const names = ["@quire/contracts", "@quire/ooxml", "@quire/docx"];
  await runIn(folder, names, packages, "light.js");
  const bytes = sizeOf(join(folder, "node_modules"));
  if (bytes > LIGHT_BYTES) {
    throw new Error(`@quire/docx installs ${bytes} bytes; the limit is ${LIGHT_BYTES}.`);
  }
  return `ok  @quire/docx installs ${(bytes / 1e6).toFixed(1)} MB and renders`;
}

/** Installs these packages into an empty project and runs a program in the project. */
async function runIn(
  folder: string,
  names: readonly string[],
  packages: readonly Packed[],
  program: string,
): Promise<void> {
  const wanted = packages.filter(({ name }) => names.includes(name));
  await createProject(
    folder,
    wanted.map(({ tarball }) => tarball),
  );
  await copyLetter(folder);
  await copyFile(join(PROGRAMS, program), join(folder, program));
  await run("node", [program], folder);
}

/** Links the checkout into a project, as described in README.md. */
export async function checkLinked(folder: string): Promise<string> {
  await createProject(folder, ["--offline", join(ROOT, "packages", "core")]);
  await copyLetter(folder);
  await copyFile(join(PROGRAMS, "render.js"), join(folder, "render.js"));
  await run("node", ["render.js"], folder);
  return "ok  a project renders with the packages of this checkout, linked without network";
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
