/**
 * Runs the blocks of pages about packages on the oldest Node that the packages support. The other pages are about
 * commands, which hardly depend on the version of Node.
 */
import { describe } from "vitest";
import { PAGES } from "./support/doc-blocks.ts";
import { hasOldest, OLDEST } from "./support/oldest-node.ts";
import { runPages } from "./support/run-pages.ts";

const ofPackages = PAGES.filter((page) => !page.startsWith("docs/") || page === "docs/sdk.md");

describe.runIf(hasOldest)("with the oldest Node:", () => runPages(OLDEST, ofPackages));
