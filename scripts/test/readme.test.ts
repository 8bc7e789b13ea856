/**
 * Runs the blocks that pages mark with `run`, like a reader who pastes them into a checkout. The long level runs more.
 */
import { expect, test } from "vitest";
import { BLOCKS, PAGES } from "./support/doc-blocks.ts";
import { LEVELS, runPages } from "./support/run-pages.ts";

/** The languages that blocks with each mark may have. */
const LANGUAGES = {
  run: ["sh", "ts", "diff"],
  config: ["json", "yaml", "nginx", "caddyfile"],
  output: ["text", "json", "js"],
} as const;

test.runIf(PAGES.includes("README.md"))("README.md has blocks to run", () => {
  expect(BLOCKS.some(({ page, mark }) => page === "README.md" && mark === "run")).toBe(true);
});

test("every block is marked with run, config or output, and has a language that fits", () => {
  const wrong = BLOCKS.filter(({ mark, language }) => {
    return mark === null || !(LANGUAGES[mark] as readonly string[]).includes(language);
  });
  expect(wrong.map(({ page, line, language, mark }) => ({ page, line, language, mark }))).toEqual(
    [],
  );
});

runPages(process.execPath, LEVELS.short);
