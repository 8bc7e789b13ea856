/**
 * Keeps the snippets of README.md, docs/*.md and the READMEs of the packages true. Every `ts` block is
 * type-checked. A block with `<!-- run -->` in the line above it is run: `ts` by Node, `sh` with this
 * checkout's `quire`. The blocks of one page run in order in one folder, which starts with the files
 * of examples/templates and examples/data, by their bare names and by their paths in the repository.
 */
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

const pages = globSync(["README.md", "docs/*.md", "packages/*/README.md"], { cwd: ROOT }).sort();

test.runIf(pages.includes("README.md"))("README.md has snippets that are run", () => {
  expect(snippetsOf("README.md").some((snippet) => snippet.run)).toBe(true);
});

for (const page of pages) {
  const snippets = snippetsOf(page);
  const programs = snippets.filter(({ language }) => language === "ts");
  if (programs.length === 0 && !snippets.some(({ run }) => run)) continue;

  describe(page, () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(EXAMPLES, ".snippets-"));
      for (const name of ["templates", "data"]) {
        const source = join(EXAMPLES, name);
        if (!existsSync(source)) continue;
        await cp(source, folder, { recursive: true });
        await cp(source, join(folder, "examples", name), { recursive: true });
      }
      for (const program of programs)
        await writeFile(join(folder, fileName(program)), program.code);
      await writeFile(join(folder, "tsconfig.json"), tsconfig(programs));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test.runIf(programs.length > 0)(
      "the ts blocks type-check",
      { timeout: TIMEOUT_MS },
      async () => {
        await run(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.json"], folder);
      },
    );

    const marked = snippets.filter((snippet) => snippet.run);
    test.each(marked)(
      "the $language block in line $line runs",
      { timeout: TIMEOUT_MS },
      async (snippet) => {
        if (snippet.language === "ts") await run(process.execPath, [fileName(snippet)], folder);
        else await run("sh", ["-euc", commands(snippet)], folder);
      },
    );
  });
}

/** The fenced blocks of a page; the marker stands in the line above the fence. */
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

function fileName(snippet: Snippet): string {
  return `line-${snippet.line}.ts`;
}

function tsconfig(programs: readonly Snippet[]): string {
  return JSON.stringify({
    extends: "../../tsconfig.test.json",
    include: [],
    files: programs.map(fileName),
  });
}

/** The commands of an `sh` block, with this checkout's program in place of the installed one. */
function commands({ code, line, language }: Snippet): string {
  const { bin } = JSON.parse(readFileSync(join(CLI, "package.json"), "utf8"));
  const quire = `'${process.execPath}' '${join(CLI, bin.quire)}'`;
  const logical = code.replaceAll("\\\n", " ").split("\n");
  const wrong = logical.find((text) => !/^(#|\s*$|(npx )?quire )/.test(text));
  if (language !== "sh" || wrong !== undefined) {
    throw new Error(
      `Line ${line}: a block to run is \`ts\`, or \`sh\` with lines that start with quire.`,
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
