/**
 * Writes the JavaScript of a package's `dist`. Runs in the folder of the package. Node needs about half a millisecond
 * to load a file, so modules that are loaded together are in one file, a chunk. `quire.chunks` in package.json lists
 * the roots of each chunk. A chunk contains its roots and everything that they import, except modules of earlier chunks
 * and modules behind an `import()`. Its file is next to its first root, such as `pool/pool.chunk.js`.
 *
 * Each module still has its own file, such as `pool/pool.js`, which exports the module's names from the chunk. All
 * paths below `internal/` therefore work, and each module exists only once in a process.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";

const FOLDER = process.cwd();
const SRC = join(FOLDER, "src");

const chunks: readonly (readonly [string, ...string[]])[] = JSON.parse(
  readFileSync(join(FOLDER, "package.json"), "utf8"),
).quire.chunks;
const names = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll("\\", "/").slice(0, -".ts".length));
/** Roots come first, because the code of a chunk is in the order in which its roots import it. */
const modules = [...new Set([...chunks.flat(), ...names])];

const bundle = await rolldown({
  cwd: FOLDER,
  input: Object.fromEntries(modules.map((name) => [name, sourceOf(name)])),
  external: (id) => !id.startsWith(".") && !isAbsolute(id),
  platform: "node",
  transform: { target: "es2023" },
});
const { output } = await bundle.write({
  dir: join(FOLDER, "dist"),
  cleanDir: true,
  sourcemap: true,
  sourcemapExcludeSources: true,
  minifyInternalExports: false,
  chunkFileNames: "[name].chunk.js",
  codeSplitting: {
    groups: chunks.map((roots, at) => ({
      name: roots[0],
      priority: chunks.length - at,
      test: (id) => roots.some((root) => id === sourceOf(root)),
    })),
  },
});
for (const file of output) if (file.type === "chunk") checkFile(file);

function sourceOf(name: string): string {
  return join(SRC, `${name}.ts`);
}

function checkFile({ name, fileName, isEntry, moduleIds }: OutputChunk): void {
  if (!isEntry && !chunks.some(([first]) => first === name)) {
    throw new Error(`Several files import ${name}. Add it to a chunk in package.json.`);
  }
  for (const id of moduleIds) {
    const from = relative(SRC, id);
    if (dirname(from) !== dirname(fileName) && readFileSync(id, "utf8").includes("import.meta")) {
      throw new Error(`${from} uses import.meta.url, but its chunk is in another folder.`);
    }
  }
}
