/**
 * Checks the snippets in README.md, docs/*.md, docs/contributing and the READMEs of the packages. One compiler
 * type-checks every `ts` block of all pages. A block whose first line is a comment with a path below packages/ gets
 * this path, and can import other blocks of its page, and files of the repository, by relative paths. A block with
 * `<!-- run -->` in the line above it is run: `ts` with Node, `sh` with this checkout's `quire`. The blocks of a page
 * run in order in one folder. It contains the files of examples/templates and examples/data, by their names and by
 * their paths in the repository.
 */
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Snippet {
  readonly language: string;
  readonly line: number;
  readonly code: string;
  readonly run: boolean;
}

const ROOT = join(import.meta.dirname, "..", "..");
const EXAMPLES = join(ROOT, "examples");
const CLI = join(ROOT, "packages", "cli");
const TIMEOUT_MS = 120_000;
const PAGES = ["README.md", "docs/*.md", "docs/contributing/*.md", "packages/*/README.md"];
const pages = globSync(PAGES, { cwd: ROOT }).sort();

test.runIf(pages.includes("README.md"))("README.md has snippets to run", () => {
  expect(snippetsOf("README.md").some((snippet) => snippet.run)).toBe(true);
});

const told = pages
  .map((name, index) => ({ name, folder: `page-${index}`, snippets: snippetsOf(name) }))
  .filter(({ snippets }) => snippets.some(({ language, run }) => language === "ts" || run));

const TSCONFIG = JSON.stringify({
  extends: "../../tsconfig.test.json",
  compilerOptions: { rootDirs: ["../..", ...told.map((page) => page.folder)] },
  include: ["page-*/*.ts", "page-*/packages/**/*.ts"],
});

let folder: string;
let compiler: Promise<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(EXAMPLES, ".snippets-"));
  await Promise.all(told.map(writePage));
  await writeFile(join(folder, "tsconfig.json"), TSCONFIG);
  compiler = messagesOfCompiler();
});
afterAll(async () => {
  await compiler;
  await rm(folder, { recursive: true, force: true });
});

for (const page of told.filter(({ snippets }) => snippets.some(({ run }) => run))) {
  describe(page.name, () => {
    const marked = page.snippets.filter((snippet) => snippet.run);
    test.each(marked)(
      "the $language block in line $line runs",
      { timeout: TIMEOUT_MS },
      async (snippet) => {
        const cwd = join(folder, page.folder);
        if (snippet.language === "ts") await run(process.execPath, [fileName(snippet)], cwd);
        else await run("sh", ["-euc", commands(snippet)], cwd);
      },
    );
  });
}

// These tests come last, because the compiler runs while the blocks run.
for (const page of told.filter(({ snippets }) => snippets.some(isProgram))) {
  describe(page.name, () => {
    test("the ts blocks type-check", { timeout: TIMEOUT_MS }, async () => {
      // Some messages have several lines. All but the first are indented.
      const messages = (await compiler).split(/\n(?=\S)/);
      const ofOthers = (message: string) =>
        /^page-\d+\//.test(message) && !message.startsWith(`${page.folder}/`);
      expect(messages.filter((message) => message !== "" && !ofOthers(message))).toEqual([]);
    });
  });
}

/** Writes the programs of a page, and the files that its commands read, into a separate folder. */
async function writePage({ folder: name, snippets }: (typeof told)[number]): Promise<void> {
  const place = join(folder, name);
  await mkdir(place);
  if (snippets.some((snippet) => snippet.run)) {
    for (const kind of ["templates", "data"]) {
      const source = join(EXAMPLES, kind);
      if (!existsSync(source)) continue;
      await cp(source, place, { recursive: true });
      await cp(source, join(place, "examples", kind), { recursive: true });
    }
  }
  for (const program of snippets.filter(isProgram)) {
    const file = join(place, fileName(program));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, program.code);
  }
  // A package on the page has the dependencies of the package in the repository.
  for (const name of globSync("packages/*", { cwd: place })) {
    const modules = join(ROOT, name, "node_modules");
    if (existsSync(modules)) await symlink(modules, join(place, name, "node_modules"));
  }
}

/** The compiler's errors in the programs of all pages; may be empty. */
async function messagesOfCompiler(): Promise<string> {
  // Uses the Node that runs this test, because the Node on the PATH may not know the flags in the environment.
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", "tsconfig.json", "--pretty", "false"];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: TIMEOUT_MS });
    return "";
  } catch (error) {
    const { stdout = "", message = "" } = error as Partial<Record<string, string>>;
    return stdout.trim() === "" ? `The compiler failed: ${message}` : stdout;
  }
}

/** The fenced blocks of a page. The marker is in the line above the fence. */
function snippetsOf(page: string): Snippet[] {
  const lines = readFileSync(join(ROOT, page), "utf8").split("\n");
  const snippets: Snippet[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const language = /^```(\w*)/.exec(lines[at] ?? "")?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: the code block has no end.`);
    const run = lines[at - 1]?.trim() === "<!-- run -->";
    snippets.push({ language, line: at + 1, code: lines.slice(at + 1, end).join("\n"), run });
    at = end;
  }
  return snippets;
}

function fileName({ line, code }: Snippet): string {
  return /^\/\/ (packages(?:\/[\w-][\w.-]*)+\.ts)\n/.exec(code)?.[1] ?? `line-${line}.ts`;
}

function isProgram({ language }: Snippet): boolean {
  return language === "ts";
}

/** The commands of an `sh` block, with this checkout's program in place of the installed one. */
function commands({ code, line, language }: Snippet): string {
  const { bin } = JSON.parse(readFileSync(join(CLI, "package.json"), "utf8"));
  const quire = `'${process.execPath}' '${join(CLI, bin.quire)}'`;
  const logical = code.replaceAll("\\\n", " ").split("\n");
  const wrong = logical.find((text) => !/^(#|\s*$|(npx )?quire )/.test(text));
  if (language !== "sh" || wrong !== undefined) {
    throw new Error(
      `Line ${line}: a block to run must be \`ts\`, or \`sh\` with lines that start with quire.`,
    );
  }
  return logical.map((text) => text.replace(/^(npx )?quire /, `${quire} `)).join("\n");
}

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd, timeout: TIMEOUT_MS });
  } catch (error) {
    const { stdout = "", message = "" } = error as Partial<Record<string, string>>;
    throw new Error(`${message}\n${stdout}`.trim());
  }
}
