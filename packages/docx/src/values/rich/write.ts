import type { RichContext } from "./context.ts";
import { flatten } from "./flatten.ts";
import type { RichBlock, RichDocument, RichParagraph, RichRun } from "./model.ts";
import { ParagraphWriter } from "./write-paragraph.ts";
import { plainLook, writeRuns } from "./write-runs.ts";
import { tableXml } from "./write-table.ts";

type Blocks = Pick<RichDocument, "blocks">;

/** Writes the runs of an inline document, for a paragraph with other runs. */
export function inlineXml(document: RichDocument, context: RichContext): string {
  const [first] = document.blocks;
  return document.inline && first?.kind === "paragraph"
    ? runsXml(first.runs, context)
    : flattenedXml(document, context);
}

/** Writes runs from `splitForMerge`, for a paragraph with other runs. */
export function runsXml(runs: readonly RichRun[], context: RichContext): string {
  return writeRuns(runs, context, plainLook(context));
}

/**
 * Writes a document as running text, for a paragraph that cannot be split. Line breaks separate blocks, tabs separate
 * table cells, and markers of lists are text.
 */
export function flattenedXml(document: Blocks, context: RichContext): string {
  return runsXml(flatten(document.blocks), context);
}

/** Like {@link flattenedXml}, without any formatting. A picture becomes its alternative text. */
export function flattenedText({ blocks }: Blocks): string {
  return flatten(blocks)
    .map((run) => (run.kind === "text" ? run.text : run.alt))
    .join("");
}

/** Whether a document is only text: one paragraph without formatting, links or pictures. */
export function isPlainText(document: Blocks): boolean {
  const { first, middle, last } = splitForMerge(document);
  const isPlainRun = (run: RichRun): boolean =>
    run.kind === "text" && run.href === null && Object.keys(run.format).length === 0;
  return middle.length === 0 && last === null && (first ?? []).every(isPlainRun);
}

/**
 * Writes a document as paragraphs and tables. Adds a paragraph between two tables, but not before or after the whole
 * content. The caller must separate the content from adjacent tables, and add a paragraph if a cell or a part would end
 * with a table. `continues` says whether the document follows text in the tag's own paragraph, so that it does not
 * begin a page.
 */
export function blocksXml(
  document: Blocks,
  context: RichContext,
  { continues = false }: { readonly continues?: boolean } = {},
): string {
  return write(document.blocks, new ParagraphWriter(context, continues), false);
}

function write(blocks: readonly RichBlock[], writer: ParagraphWriter, cell: boolean): string {
  const xml: string[] = [];
  let afterTable = false;
  for (const block of blocks) {
    if (block.kind === "paragraph") {
      xml.push(writer.paragraph(block, cell));
    } else if (block.kind === "rule") {
      xml.push(writer.rule(block, cell));
    } else {
      if (afterTable) xml.push(writer.empty(cell));
      const style = writer.context.style("table grid");
      xml.push(tableXml(block, style, (inner) => write(inner.blocks, writer, true)));
    }
    afterTable = block.kind === "table";
  }
  // A cell ends with a paragraph.
  if (cell && (afterTable || blocks.length === 0)) xml.push(writer.empty(cell));
  return xml.join("");
}

/** A document split into the parts that merge with the text around its tag. */
export interface MergeParts {
  /** The text of the first block, which continues the text before the tag, or null if it is not a plain paragraph. */
  readonly first: readonly RichRun[] | null;
  readonly middle: readonly RichBlock[];
  /** The text of the last block, in the same way; also null if there is only one block. */
  readonly last: readonly RichRun[] | null;
}

/** Splits a document. Only paragraphs without a format of their own merge with the text around the tag. */
export function splitForMerge(document: Blocks): MergeParts {
  const { blocks } = document;
  const first = plainRuns(blocks[0]);
  const last = blocks.length > 1 ? plainRuns(blocks.at(-1)) : null;
  const middle = blocks.slice(first === null ? 0 : 1, last === null ? blocks.length : -1);
  return { first, middle, last };
}

function plainRuns(block: RichBlock | undefined): readonly RichRun[] | null {
  return block?.kind === "paragraph" && isPlain(block) ? block.runs : null;
}

function isPlain(paragraph: RichParagraph): boolean {
  const { heading, item, align, direction, quote, indent, listDepth } = paragraph;
  const said = item !== null || align !== null || direction !== null;
  return !said && heading + quote + indent + listDepth === 0;
}
