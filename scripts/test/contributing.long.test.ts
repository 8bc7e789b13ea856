/**
 * Follows the pages of docs/contributing in a copy of the repository: writes their files, applies their changes, and
 * runs their tests. In the copy, imports of packages lead to their sources.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChange, CONTRIBUTING } from "./support/contributing-pages.ts";
import { ROOT } from "./support/doc-blocks.ts";

/** The test that the page about operations extends by a line. */
const ANSWERS = "packages/service/test/openapi/answers.test.ts";
const TIMEOUT_MS = 600_000;

const CONFIG = `
export default {
  resolve: {
    alias: [
      { find: /^@quire\\/([\\w-]+)$/, replacement: import.meta.dirname + "/packages/$1/src/index.ts" },
      { find: /^@quire\\/([\\w-]+)\\/internal\\/(.+)$/, replacement: import.meta.dirname + "/packages/$1/src/$2.ts" },
      { find: /^@quire\\/([\\w-]+)\\/(\\w+)$/, replacement: import.meta.dirname + "/packages/$1/src/$2.ts" },
    ],
  },
  test: { include: ["packages/*/test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: 2 },
};
`;

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(ROOT, "examples", ".snippets-"));
  await copyPackages();
  for (const { files, changes } of CONTRIBUTING) {
    for (const [path, code] of files) await write(path, code);
    for (const [path, change] of changes) {
      await write(path, applyChange(readFileSync(join(copy, path), "utf8"), change));
    }
  }
  for (const name of ["tsconfig.json", "examples/templates", "examples/data"]) {
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  }
  await writeFile(join(copy, "vitest.config.js"), CONFIG);
}, TIMEOUT_MS);
afterAll(() => rm(copy, { recursive: true, force: true }));

test("the tests of the pages pass in a repository with their files and changes", {
  timeout: TIMEOUT_MS,
}, async () => {
  const added = CONTRIBUTING.flatMap(({ files }) => [...files.keys()]);
  const tests = [...added.filter((path) => path.endsWith(".test.ts")), ANSWERS];
  const report = join(copy, "report.json");
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", ...tests, "--reporter=json", `--outputFile=${report}`];
  await promisify(execFile)(process.execPath, args, { cwd: copy }).catch(() => {});
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const results = testResults.map(({ name, status }: { name: string; status: string }) => [
    relative(copy, name),
    status,
  ]);
  expect(results.sort()).toEqual(tests.sort().map((path) => [path, "passed"]));
});

/** Copies the sources and tests of the packages. Links their installed dependencies. */
async function copyPackages(): Promise<void> {
  for (const name of readdirSync(join(ROOT, "packages"))) {
    const from = join(ROOT, "packages", name);
    const to = join(copy, "packages", name);
    await cp(from, to, {
      recursive: true,
      filter: (path) => !["node_modules", "dist", ".turbo"].includes(basename(path)),
    });
    const modules = join(from, "node_modules");
    if (existsSync(modules)) await symlink(modules, join(to, "node_modules"));
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(copy, path)), { recursive: true });
  await writeFile(join(copy, path), text);
}
