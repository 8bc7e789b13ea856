/** Tests rules of the repository that neither the compiler nor the linter can check. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ERROR_CODES } from "../../packages/contracts/src/errors.ts";
import { circlesOf, folderGraph, levelsOf, outerFolders, subfolders } from "./folder-graph.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PACKAGES = readdirSync(join(ROOT, "packages")).filter((name) =>
  existsSync(join(ROOT, "packages", name, "package.json")),
);

/** The packages below core, from the lowest up. Each package imports only packages that come before it. */
const BELOW_CORE = ["contracts", "ooxml", "docx", "pdf", "render-pool"];

test("docs/errors.md has a heading for every error code and for no other", () => {
  const headings = read("docs/errors.md").matchAll(/^##+ `?([a-z]+(?:_[a-z]+)*)`?$/gm);
  expect([...headings].map(([, code]) => code).sort()).toEqual([...ERROR_CODES].sort());
});

test.each(PACKAGES)("%s carries the licence of the repository", (name) => {
  expect(read(`packages/${name}/LICENSE`)).toBe(read("LICENSE"));
});

test.each(PACKAGES)("%s imports only the modules of Node that its package.json allows", (name) => {
  const { quire } = JSON.parse(read(`packages/${name}/package.json`));
  const sources = filesBelow(`packages/${name}/src`).map(read);
  const used = sources.flatMap((source) =>
    [...source.matchAll(/(?:from|import\() ?"(node:[^"]+)"/g)].map(([, module = ""]) => module),
  );
  const allowed = quire?.builtins ?? [...new Set(used)].sort();
  expect([...new Set(used)].sort()).toEqual(allowed);
});

test.each(BELOW_CORE)("tests of %s import no package above it", (name) => {
  const above = [
    ...PACKAGES.filter((each) => !BELOW_CORE.includes(each)),
    ...BELOW_CORE.slice(BELOW_CORE.indexOf(name) + 1),
  ];
  const imported = new RegExp(`"(?:@quire|(?:\\.\\./)+)/?(${above.join("|")})[/"]`);
  const files = filesBelow(`packages/${name}/test`).filter((file) => file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => imported.test(read(file)))).toEqual([]);
});

test("no folder of sources has more than 25 files", () => {
  const files = PACKAGES.flatMap((name) => filesBelow(`packages/${name}/src`));
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(50);
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});

test.each(PACKAGES)("no folders of %s import each other", (name) => {
  const graph = folderGraph(join(ROOT, "packages", name, "src"));
  expect(circlesOf(graph)).toEqual([]);
  expect(circlesOf(outerFolders(graph))).toEqual([]);
});

test.each(PACKAGES)("the folders of %s lie on at most 8 levels", (name) => {
  const graph = folderGraph(join(ROOT, "packages", name, "src"));
  for (const level of [outerFolders(graph), ...subfolders(graph)]) {
    expect(levelsOf(level)).toBeLessThanOrEqual(8);
  }
});

test("finds a circle of three folders and gives it one level", () => {
  const graph = folderGraph(join(ROOT, "packages", "docx", "src"));
  expect(graph.get("template")).toContain("template/nodes");
  expect(outerFolders(graph).get("template")).toContain("language");
  const circle = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c"])],
    ["c", new Set(["a", "d"])],
    ["d", new Set<string>()],
  ]);
  expect(circlesOf(circle)).toEqual(["a b c"]);
  expect(levelsOf(circle)).toBe(2);
});

test("docs/README.md links to every page of the docs", () => {
  const index = read("docs/README.md");
  const pages = ["docs", "docs/contributing"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md") && name !== "README.md")
      .map((name) => `${folder}/${name}`.replace("docs/", "")),
  );
  expect(pages).toContain("templates.md");
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

test("no program in the docs has a `using`, which Node 22 does not support", () => {
  const files = (trackedFiles() ?? filesBelow("")).filter((file) =>
    /^(README|docs\/.+|packages\/[^/]+\/README|examples\/[^/]+)\.(md|ts)$/.test(file),
  );
  expect(files).toContain("examples/batch.ts");
  expect(files.filter((file) => /^\s*(await )?using \w+ =/m.test(read(file)))).toEqual([]);
});

test("no file of the repository names a folder of a developer's machine", () => {
  const local = new RegExp(`(?<![\\w.~$}-])/(${["work", "root", "home", "Users"].join("|")})/\\w`);
  const files = trackedFiles() ?? filesBelow("");
  expect(files).toContain("README.md");
  const found = files.filter((file) => local.test(readFileSync(join(ROOT, file), "latin1")));
  expect(found).toEqual([]);
});

test("walking the tree without git finds the same sources", () => {
  const walked = filesBelow("");
  expect(walked).toContain("packages/core/src/index.ts");
  const missing = (trackedFiles() ?? []).filter((file) => !walked.includes(file));
  expect(missing).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Returns the files in git; null if git or its repository is missing. */
function trackedFiles(): string[] | null {
  const list = ["-c", "safe.directory=*", "ls-files", "-z"];
  try {
    const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
    return files.split("\0").filter((file) => file !== "" && existsSync(join(ROOT, file)));
  } catch {
    return null;
  }
}

/** Returns the files of a folder by their paths in the repository, excluding generated and installed files. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (path === "out") return [];
    if (entry.isDirectory()) return NO_SOURCES.has(entry.name) ? [] : filesBelow(path);
    return statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile() ? [path] : [];
  });
}

const NO_SOURCES = new Set(["node_modules", "dist", ".turbo", ".git", "coverage"]);
