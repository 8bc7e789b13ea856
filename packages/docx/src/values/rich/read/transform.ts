import type { ModifierCall } from "../../../language/modifiers.ts";
import { cutOf, modify } from "../../modifiers.ts";
import type { RichBlock, RichDocument, RichParagraph, RichRun } from "../model.ts";

/**
 * Applies a modifier that changes text. It changes the text of the document as a whole; markup, links and pictures are
 * kept. The locale determines upper and lower case.
 */
export function modifyRich(
  document: RichDocument,
  call: ModifierCall,
  locale: string,
): RichDocument {
  if (call.name === "truncate") return truncateRich(document, call.arguments);
  if (call.name !== "capitalize") return mapText(document, (text) => modify(text, [call], locale));
  let begun = false;
  return mapText(document, (text) => {
    if (begun) return text;
    begun = text !== "";
    return modify(text, [call], locale);
  });
}

/** Changes every piece of a document's text, in order. */
function mapText(document: RichDocument, change: (text: string) => string): RichDocument {
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

/**
 * Truncates a document like its plain text with a line break between two paragraphs: the end of a paragraph, even in a
 * cell, counts as one character. Markers of list items and pictures do not count.
 */
function truncateRich(document: RichDocument, given: ModifierCall["arguments"]): RichDocument {
  const cut = cutOf([...paragraphsOf(document.blocks)].map(textOf).join("\n"), given);
  if (cut === null) return document;
  const kept = cut.kept.trimEnd();
  const blocks =
    kept + cut.ending === "" ? [] : new Cutter(kept.length, cut.ending).blocks(document.blocks);
  return { ...document, blocks };
}

function* paragraphsOf(blocks: readonly RichBlock[]): Generator<RichParagraph> {
  for (const block of blocks) {
    if (block.kind === "paragraph") yield block;
    if (block.kind !== "table") continue;
    for (const { cells } of block.rows) {
      for (const cell of cells) yield* paragraphsOf(cell.blocks);
    }
  }
}

function textOf({ runs }: RichParagraph): string {
  return runs.map((run) => (run.kind === "text" ? run.text : "")).join("");
}

/** Keeps the beginning of a document and removes everything after the ending. */
class Cutter {
  readonly #ending: string;
  /** The number of UTF-16 code units that are still to be kept. */
  #left: number;
  #begun = false;
  #done = false;

  constructor(length: number, ending: string) {
    this.#left = length;
    this.#ending = ending;
  }

  blocks(blocks: readonly RichBlock[]): RichBlock[] {
    const kept: RichBlock[] = [];
    for (const block of blocks) {
      if (this.#done) break;
      kept.push(this.#block(block));
    }
    return kept;
  }

  #block(block: RichBlock): RichBlock {
    if (block.kind === "rule") return block;
    if (block.kind === "paragraph") {
      // The end of the previous paragraph counts as one character, unless nothing is left.
      if (this.#begun) this.#left = Math.max(this.#left - 1, 0);
      this.#begun = true;
      return { ...block, runs: this.#runs(block.runs) };
    }
    const rows: (typeof block.rows)[number][] = [];
    for (const row of block.rows) {
      if (this.#done) break;
      // The row is kept complete: cells after the ending are empty.
      const cells = row.cells.map((cell) => ({ ...cell, blocks: this.blocks(cell.blocks) }));
      rows.push({ ...row, cells });
    }
    return { ...block, rows };
  }

  #runs(runs: readonly RichRun[]): RichRun[] {
    const kept: RichRun[] = [];
    for (const run of runs) {
      if (this.#done) break;
      if (run.kind !== "text") {
        kept.push(run);
        continue;
      }
      this.#done = run.text.length >= this.#left;
      const text = this.#done ? run.text.slice(0, this.#left) + this.#ending : run.text;
      this.#left -= run.text.length;
      kept.push({ ...run, text });
    }
    return kept;
  }
}
