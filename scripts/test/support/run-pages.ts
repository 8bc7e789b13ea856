/**
 * Defines a test for each block that a page marks with `run`. The test also checks the output block that follows it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BlockRunner, createBlockRunner } from "./block-runner.ts";
import { BLOCKS, type Block, PAGES } from "./doc-blocks.ts";

const TIMEOUT_MS = 120_000;

/**
 * Returns the blocks that {@link runPages} runs. It omits docs/contributing, whose blocks change the repository: see
 * contributing.test.ts.
 */
function runnableBlocks(page: string): Block[] {
  return BLOCKS.filter(
    (block) =>
      block.page === page && block.mark === "run" && !page.startsWith("docs/contributing/"),
  );
}

/** Returns the block that contains the output of a block: the next one on the page, if it is marked with `output`. */
function outputOf(block: Block): Block | null {
  const next = BLOCKS[BLOCKS.indexOf(block) + 1];
  const isOutput = next?.page === block.page && next.mark === "output" && next.language === "text";
  return isOutput && !isSynopsis(next) ? next : null;
}

/** Whether a block is the output of another block that runs. */
export function isOutputOfRun(block: Block): boolean {
  return BLOCKS.some(
    (other) => runnableBlocks(other.page).includes(other) && outputOf(other) === block,
  );
}

/** Whether a block shows how to call a command. */
export function isSynopsis({ code }: Block): boolean {
  return code.startsWith("quire ");
}

/** The pages of the two test levels. Running the blocks of all pages takes more than a minute. */
export const LEVELS = {
  short: PAGES.filter((page) => page === "README.md"),
  long: PAGES.filter((page) => page !== "README.md"),
};

/** Defines tests that run the blocks of these pages with a Node. */
export function runPages(node: string, pages: readonly string[]): void {
  describe.each(pages.filter((page) => runnableBlocks(page).length > 0))("%s", (page) => {
    let runner: BlockRunner;
    beforeAll(async () => {
      runner = await createBlockRunner(node);
    });
    afterAll(() => runner.close());
    test.each(runnableBlocks(page))(
      "the $language block in line $line runs",
      { timeout: TIMEOUT_MS },
      async (block) => {
        const stdout = await runner.run(block);
        const output = outputOf(block);
        if (output !== null) expect(stdout).toMatch(patternOf(output.code));
      },
    );
  });
}

/**
 * Returns a pattern for the text of an output. An ellipsis stands for any text, and a line with only an ellipsis for
 * any lines.
 */
function patternOf(text: string): RegExp {
  const escaped = text.trim().replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^\\s*${escaped.replaceAll("…", "[^]*?")}\\s*$`);
}
