/** The code blocks of the pages for users and contributors, with their marks. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The purpose of a block. `run`: a reader pastes it, and it ends without errors. `config`: a part of a configuration
 * that its program can read. `output`: text to look at.
 */
export type Mark = "run" | "config" | "output";

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line number of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The mark of the block; null if it has none. */
  readonly mark: Mark | null;
}

/** The path of the repository. */
export const ROOT = join(import.meta.dirname, "..", "..", "..");

/** The pages whose blocks are checked, by path in the repository. */
export const PAGES: readonly string[] = globSync(
  [
    "README.md",
    "docs/*.md",
    "docs/contributing/*.md",
    "packages/*/README.md",
    "examples/README.md",
  ],
  { cwd: ROOT },
).sort();

/** The blocks of all pages. */
export const BLOCKS: readonly Block[] = PAGES.flatMap((page) =>
  blocksOf(page, readFileSync(join(ROOT, page), "utf8")),
);

/** Returns the blocks of a page. The mark is a comment in the line above the fence. Blocks in lists are indented. */
export function blocksOf(page: string, markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, language] = /^( *)```(.*)$/.exec(lines[at] ?? "") ?? [];
    if (indent === undefined || language === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end < 0) throw new Error(`${page}:${at + 1}: the code block has no end.`);
    const code = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    const [, mark = null] = /^ *<!-- (run|config|output) -->$/.exec(lines[at - 1] ?? "") ?? [];
    blocks.push({
      page,
      line: at + 1,
      language,
      code: code.join("\n"),
      mark: mark as Mark | null,
    });
    at = end;
  }
  return blocks;
}

/** Returns the path of the repository's file that a block shows, according to its first line; null for other blocks. */
export function fileOf({ language, code }: Block): string | null {
  if (language !== "ts") return null;
  return /^\/\/ (packages(?:\/[\w-][\w.-]*)+\.ts)\n/.exec(code)?.[1] ?? null;
}
