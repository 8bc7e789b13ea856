/** Runs the blocks that pages mark with `run`, as a reader who pastes them into a checkout. The long level runs more. */
import { expect, test } from "vitest";
import { BLOCKS, PAGES } from "./support/doc-blocks.ts";
import { LEVELS, runPages } from "./support/run-pages.ts";

test.runIf(PAGES.includes("README.md"))("README.md has blocks to run", () => {
  expect(BLOCKS.some(({ page, mark }) => page === "README.md" && mark === "run")).toBe(true);
});

runPages(process.execPath, LEVELS.short);
