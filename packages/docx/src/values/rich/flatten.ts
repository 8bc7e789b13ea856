import { markerText } from "./list-markers.ts";
import type { RichBlock, RichFormat, RichParagraph, RichRow, RichRun, RichText } from "./model.ts";

/** The indent for each list level where paragraph indents are not possible. */
const STEP = "    ";

/** Converts blocks to one line of runs, with line breaks between blocks and tabs between table cells. */
export function flatten(blocks: readonly RichBlock[]): RichRun[] {
  return joined(
    blocks.map((block) => {
      if (block.kind === "rule") return [];
      return block.kind === "paragraph"
        ? flattenParagraph(block)
        : joined(block.rows.map(flattenRow), "\n");
    }),
    "\n",
  );
}

function flattenRow({ cells }: RichRow): RichRun[] {
  return joined(
    cells.map(({ blocks }) => flatten(blocks)),
    "\t",
  );
}

function flattenParagraph({ heading, item, listDepth, runs }: RichParagraph): readonly RichRun[] {
  const text = heading === 0 ? runs : runs.map((run) => ({ ...run, format: bold(run.format) }));
  if (listDepth === 0) return text;
  const indent = STEP.repeat(item === null || item.continuation ? listDepth : listDepth - 1);
  const marker = item === null || item.continuation ? "" : `${markerText(item.list, item.number)} `;
  return [plain(indent + marker), ...text];
}

function bold(format: RichFormat): RichFormat {
  return { bold: true, ...format };
}

const PLAIN: RichFormat = {};

function plain(text: string): RichText {
  return { kind: "text", text, format: PLAIN, href: null };
}

function joined(parts: readonly (readonly RichRun[])[], separator: string): RichRun[] {
  return parts.flatMap((runs, index) => (index === 0 ? runs : [plain(separator), ...runs]));
}
