import type { Correction } from "../rewrites.ts";
import { NAME, type Written } from "../written.ts";

const COLUMN = String.raw`(?:table[\s_-]?)?(?:columns?|cols?)|cells?`;
const ROW = String.raw`(?:table[\s_-]?)?rows?`;
const LOOP = String.raw`(?:(?:for|repeat|loop)(?:\s+each)?[\s_-]?)?(?:(${COLUMN})|${ROW})(?:\s+for)?`;

/** `column m in months`, `rows i in items` and `column if shown`: the blocks of a table. */
export const TABLE_LOOPS: readonly Correction[] = [
  tableLoop,
  (tag) => {
    const [, shown] = tag.match(String.raw`^(?:${COLUMN})\s+if\s+(.+)$`, "i") ?? [];
    return shown === undefined ? null : `tablecolumn if ${shown}`;
  },
];

/** Returns the loop that repeats the columns or the rows of a table for a tag with other words for it, or null. */
export function tableLoop(tag: Written): string | null {
  const [, column = "", loop] =
    tag.match(String.raw`^${LOOP}\s+(${NAME}\s+(?:in|of)\s+.+)$`, "i") ?? [];
  if (loop === undefined) return null;
  return `${column === "" ? "tablerow" : "tablecolumn"} ${loop.replace(/^(\S+\s+)of\s/i, "$1in ")}`;
}
