/** Tests what a program loads when it imports built code. `scripts/bundle.ts` combines modules into chunks. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));

const WITHOUT_PARSERS = ["big.js", "lru-cache", "p-limit", "yocto-queue"];
const WITH_TEXTS = [...WITHOUT_PARSERS, "pend", "saxes", "xmlchars", "yauzl"].sort();
const withJson = (libraries: readonly string[]) => ["lossless-json", ...libraries].sort();
const COMPILER = ["@xmldom/xmldom", "docxtemplater", "marked", "pako", "parse5", "pizzip"];

test.each([
  { file: "core/dist/host.js", libraries: withJson(WITHOUT_PARSERS), maxFiles: 20 },
  { file: "core/dist/index.js", libraries: withJson(WITH_TEXTS), maxFiles: 40 },
  { file: "docx/dist/index.js", libraries: [...COMPILER, ...WITH_TEXTS, "entities"].sort() },
  {
    file: "render-pool/dist/process/perform-task.js",
    libraries: [...COMPILER, ...WITH_TEXTS, "entities"].sort(),
  },
])("importing $file loads only the libraries that it needs at once", (imported) => {
  const { libraries, files } = loadedBy(imported.file);
  expect(libraries).toEqual(imported.libraries);
  // The load time depends much more on the number of files than on their size.
  expect(files.length).toBeLessThanOrEqual(imported.maxFiles ?? 50);
});

/** Returns the files that a process loads together with a module, according to V8's coverage report. */
function loadedBy(file: string): {
  /** Names of third-party packages, sorted. */
  readonly libraries: readonly string[];
  /** Paths of Quire's own files. */
  readonly files: readonly string[];
} {
  const folder = mkdtempSync(join(tmpdir(), "quire-chunks-test-"));
  try {
    const program = `import ${JSON.stringify(join(PACKAGES, file))};`;
    const env = { NODE_V8_COVERAGE: folder };
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], { env });
    const [report = ""] = readdirSync(folder);
    const { result } = JSON.parse(readFileSync(join(folder, report), "utf8"));
    const urls = (result as readonly { readonly url: string }[]).map(({ url }) => url);
    const libraries = urls.flatMap(
      (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [],
    );
    return {
      libraries: [...new Set(libraries)].sort(),
      files: urls.filter((url) => /\/packages\/[^/]+\/dist\//.test(url)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
