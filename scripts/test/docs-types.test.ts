/**
 * Type-checks the `ts` blocks of all pages with one compiler. A block whose first line is a comment with a path below
 * packages/ is written to this path. It can import other blocks of its page, and files of the repository, by relative
 * paths.
 */
import { execFile } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BLOCKS, type Block, fileOf, PAGES, ROOT } from "./support/doc-blocks.ts";

const TIMEOUT_MS = 120_000;

const pages = PAGES.map((page, index) => ({
  page,
  folder: `page-${index}`,
  programs: BLOCKS.filter((block) => block.page === page && block.language === "ts"),
})).filter(({ programs }) => programs.length > 0);

const TSCONFIG = JSON.stringify({
  extends: "../../tsconfig.test.json",
  compilerOptions: { rootDirs: ["../..", ...pages.map(({ folder }) => folder)] },
  include: ["page-*/*.ts", "page-*/packages/**/*.ts"],
});

let folder: string;
let messages: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, "examples", ".snippets-"));
  await Promise.all(pages.map(writePage));
  await writeFile(join(folder, "tsconfig.json"), TSCONFIG);
  // Some messages have several lines. All lines except the first are indented.
  messages = (await messagesOfCompiler()).split(/\n(?=\S)/).filter((message) => message !== "");
}, TIMEOUT_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(pages)("the ts blocks of $page type-check", ({ folder: own }) => {
  const isOfOther = (message: string) =>
    /^page-\d+\//.test(message) && !message.startsWith(`${own}/`);
  expect(messages.filter((message) => !isOfOther(message))).toEqual([]);
});

/** Writes the programs of a page into a separate folder. */
async function writePage({ folder: name, programs }: (typeof pages)[number]): Promise<void> {
  const place = join(folder, name);
  for (const program of programs) {
    const file = join(place, nameOf(program));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, program.code);
  }
  // A package on the page gets the dependencies of the same package in the repository.
  for (const path of globSync("packages/*", { cwd: place })) {
    const modules = join(ROOT, path, "node_modules");
    if (existsSync(modules)) await symlink(modules, join(place, path, "node_modules"));
  }
}

function nameOf(block: Block): string {
  return fileOf(block) ?? `line-${block.line}.ts`;
}

/** Returns the compiler's errors in the programs of all pages; may be empty. */
async function messagesOfCompiler(): Promise<string> {
  // This runs the Node that runs the test, because the Node on the PATH may not know the flags in the environment.
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
