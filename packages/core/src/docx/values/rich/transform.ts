import type { RichBlock, RichDocument, RichRun } from "./model.ts";

/** The document with every piece of its text changed; markup, links and pictures stay. */
export function mapText(document: RichDocument, change: (text: string) => string): RichDocument {
  return { ...document, blocks: document.blocks.map((block) => mapBlock(block, change)) };
}

function mapBlock(block: RichBlock, change: (text: string) => string): RichBlock {
  if (block.kind === "paragraph") {
    return { ...block, runs: block.runs.map((run) => mapRun(run, change)) };
  }
  if (block.kind === "rule") return block;
  const rows = block.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => ({
      ...cell,
      blocks: cell.blocks.map((inner) => mapBlock(inner, change)),
    })),
  }));
  return { ...block, rows };
}

function mapRun(run: RichRun, change: (text: string) => string): RichRun {
  return run.kind === "text" ? { ...run, text: change(run.text) } : run;
}
