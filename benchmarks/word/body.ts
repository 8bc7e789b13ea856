import type { Block, ParagraphStyle, Piece, TemplateText } from "./blocks.ts";
import type { Syntax } from "./syntax.ts";

const TEXT_WIDTH = 9_360;

/** Returns the XML of a template's content, with the tags of one engine. */
export function writeStories(
  { header, footer, body }: TemplateText,
  syntax: Syntax,
): Readonly<Record<keyof TemplateText, string>> {
  const writer = new StoryWriter(syntax);
  return {
    body: writer.blocks(body),
    header: writer.line(header, "Header"),
    footer: writer.line(footer, "Footer"),
  };
}

/** Writes paragraphs and tables as Word does, with revision and paragraph ids on all of them. */
class StoryWriter {
  readonly #syntax: Syntax;
  #paragraphs = 0;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.#block(block)).join("");
  }

  line(
    pieces: readonly Piece[],
    style: ParagraphStyle | "Header" | "Footer" | null = null,
  ): string {
    return this.#paragraph(run(this.#text(pieces), ""), style);
  }

  #block(block: Block): string {
    switch (block.block) {
      case "paragraph": {
        const properties = block.bold === true ? "<w:b/>" : "";
        const runs =
          block.split === true
            ? this.#splitRuns(block.pieces)
            : run(this.#text(block.pieces), properties);
        return this.#paragraph(runs, block.style ?? null);
      }
      case "condition": {
        const [start, end] = this.#syntax.condition(block.key);
        return [[start], block.pieces, [end]].map((pieces) => this.line(pieces)).join("");
      }
      case "table":
        return this.#table(block);
      case "logo":
        return this.#paragraph(LOGO, null);
    }
  }

  #table({ headings, widths, loop, cells }: Extract<Block, { block: "table" }>): string {
    const shares = widths ?? headings.map(() => 1);
    const sum = shares.reduce((total, share) => total + share, 0);
    const columns = shares.map((share) => Math.floor((TEXT_WIDTH * share) / sum));
    const [start, end] = this.#syntax.row(loop);
    const texts = cells.map((pieces) => this.#text(pieces));
    const blank = texts.slice(1).map(() => "");
    const inCells = texts.map(
      (text, at) => `${at === 0 ? start : ""}${text}${at === texts.length - 1 ? end : ""}`,
    );
    const rows = {
      "in-cells": [inCells],
      "own-rows": [[start, ...blank], texts, [end, ...blank]],
      "row-after": [texts, [end, ...blank]],
    }[this.#syntax.rowTags];
    const grid = columns.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
    return (
      '<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/>' +
      '<w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>' +
      `</w:tblPr><w:tblGrid>${grid}</w:tblGrid>` +
      this.#row(headings, columns, "<w:b/>") +
      rows.map((row) => this.#row(row, columns, "")).join("") +
      "</w:tbl>"
    );
  }

  #row(texts: readonly string[], columns: readonly number[], properties: string): string {
    const cells = texts.map(
      (text, column) =>
        `<w:tc><w:tcPr><w:tcW w:w="${columns[column]}" w:type="dxa"/></w:tcPr>${this.#paragraph(run(text, properties), null)}</w:tc>`,
    );
    return `<w:tr w:rsidR="00A77B30" w14:paraId="${this.#nextId()}" w14:textId="77777777" w:rsidTr="00A77B30">${cells.join("")}</w:tr>`;
  }

  #paragraph(runs: string, style: string | null): string {
    const properties = style === null ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
    return `<w:p w14:paraId="${this.#nextId()}" w14:textId="77777777" w:rsidR="00A77B1E" w:rsidRDefault="00A77B1E">${properties}${runs}</w:p>`;
  }

  #splitRuns(pieces: readonly Piece[]): string {
    return pieces
      .map((piece) =>
        typeof piece === "string" ? run(piece, "") : splitTag(this.#syntax.value(piece)),
      )
      .join("");
  }

  #nextId(): string {
    this.#paragraphs += 1;
    const scattered = Math.imul(this.#paragraphs, 0x9e3779b1) & 0x7fffffff;
    return scattered.toString(16).toUpperCase().padStart(8, "0");
  }

  #text(pieces: readonly Piece[]): string {
    return pieces
      .map((piece) => (typeof piece === "string" ? piece : this.#syntax.value(piece)))
      .join("");
  }
}

function run(text: string, properties: string, attributes = ""): string {
  if (text === "") return "";
  const formatting = properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`;
  const space = /^\s|\s$/.test(text) ? ' xml:space="preserve"' : "";
  return `<w:r${attributes}>${formatting}<w:t${space}>${escapeXml(text)}</w:t></w:r>`;
}

/**
 * Returns runs as Word writes them for edited text: each tag is split into three runs with the ids of different editing
 * sessions, and the spell checker has marked the name in the tag.
 */
function splitTag(text: string): string {
  const third = Math.floor(text.length / 3);
  const [start, middle, end] = [
    text.slice(0, third),
    text.slice(third, -third),
    text.slice(-third),
  ];
  return (
    run(start, "", ' w:rsidR="00A77B2C"') +
    `<w:proofErr w:type="spellStart"/>${run(middle, "", ' w:rsidR="00A77B41"')}<w:proofErr w:type="spellEnd"/>` +
    run(end, "", ' w:rsidR="00A77B2C"')
  );
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const LOGO =
  '<w:r><w:rPr><w:noProof/></w:rPr><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0" wp14:anchorId="5D2E7A10" wp14:editId="1B6C3F42">' +
  '<wp:extent cx="1440000" cy="1440000"/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:docPr id="1" name="Picture 1" descr="The logo"/>' +
  '<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" noChangeAspect="1"/></wp:cNvGraphicFramePr>' +
  '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">' +
  '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="1" name="logo.png"/><pic:cNvPicPr/></pic:nvPicPr>' +
  '<pic:blipFill><a:blip r:embed="rId20"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>' +
  '<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1440000" cy="1440000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>' +
  "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>";
