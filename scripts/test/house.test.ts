/** Rules of the repository that neither the compiler nor the linter can check. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ERROR_CODES } from "../../packages/contracts/src/errors.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PACKAGES = readdirSync(join(ROOT, "packages")).filter((name) =>
  existsSync(join(ROOT, "packages", name, "package.json")),
);

test("docs/errors.md has a heading for every error code and for no other", () => {
  const headings = read("docs/errors.md").matchAll(/^##+ `?([a-z]+(?:_[a-z]+)*)`?$/gm);
  expect([...headings].map(([, code]) => code).sort()).toEqual([...ERROR_CODES].sort());
});

test.each(PACKAGES)("every name that %s exports has a doc comment", (name) => {
  expect(undocumentedExports(`packages/${name}/src/index.ts`)).toEqual([]);
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

/** The files in git; null if git or its repository is missing. */
function trackedFiles(): string[] | null {
  const list = ["-c", "safe.directory=*", "ls-files", "-z"];
  try {
    const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
    return files.split("\0").filter((file) => file !== "" && existsSync(join(ROOT, file)));
  } catch {
    return null;
  }
}

/** The files of a folder by their paths in the repository, without generated and installed files. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (path === "out") return [];
    if (entry.isDirectory()) return NO_SOURCES.has(entry.name) ? [] : filesBelow(path);
    return statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile() ? [path] : [];
  });
}

const NO_SOURCES = new Set(["node_modules", "dist", ".turbo", ".git", "coverage"]);

/** Follows the named exports of an entry point to their declarations, and checks for a comment above each. */
function undocumentedExports(file: string): string[] {
  const source = read(file);
  const declared = [...source.matchAll(DECLARATION)]
    .filter(([text]) => !text.startsWith("/**"))
    .map(([, name]) => `${file}: ${name}`);
  return [
    ...declared,
    ...reexports(source).flatMap(([name, from]) => undocumented(name, join(dirname(file), from))),
  ];
}

function undocumented(name: string, file: string): string[] {
  const source = read(file);
  const further = reexports(source).find(([exported]) => exported === name);
  if (further !== undefined) return undocumented(further[2], join(dirname(file), further[1]));
  const declaration = [...source.matchAll(DECLARATION)].find(([, declared]) => declared === name);
  return declaration?.[0].startsWith("/**") ? [] : [`${file}: ${name}`];
}

/** An exported declaration at the start of a line, with the doc comment that ends right above it. */
const DECLARATION =
  /(?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:declare )?(?:abstract )?(?:async )?(?:function\*? ?|const |class |interface |type )(\w+)/gm;

/** The `export { a, type b as c } from "./file.ts"` of a source: exported name, file, name there. */
function reexports(source: string): [string, string, string][] {
  const statements = source.matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm);
  return [...statements].flatMap(([, names = "", from = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== "")
      .map((name): [string, string, string] => {
        const [local = "", exported = local] = name.split(" as ");
        return [exported, from, local];
      }),
  );
}
