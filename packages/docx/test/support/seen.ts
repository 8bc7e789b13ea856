import assert from "node:assert/strict";
import { DOMParser, type Element, type Node } from "@xmldom/xmldom";
import { type Line, merged, type Seen } from "./oracle.ts";

/** Returns the visible content of a part. Throws if Word would call the part damaged. */
export function seenIn(xml: string): readonly Seen[] {
  const document = new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(xml, "text/xml");
  const root = document.documentElement;
  if (root === null) throw new Error("The part is empty.");
  return blocks(root.nodeName === "w:document" ? only(root, "w:body") : root);
}

function elements(parent: Node): Element[] {
  return [...parent.childNodes].filter((node): node is Element => node.nodeType === 1);
}

function only(parent: Element, name: string): Element {
  const [found, ...others] = elements(parent).filter(({ nodeName }) => nodeName === name);
  if (found === undefined || others.length > 0)
    throw new Error(`There must be exactly one ${name}.`);
  return found;
}

const BETWEEN_BLOCKS = ["w:sectPr", "w:tcPr", "w:bookmarkStart", "w:bookmarkEnd"];

function blocks(container: Element): Seen[] {
  const seen: Seen[] = [];
  for (const element of elements(container)) {
    if (isSeparator(element)) continue;
    if (element.nodeName === "w:p") seen.push(paragraph(element));
    else if (element.nodeName === "w:tbl") seen.push(table(element));
    else
      assert(
        BETWEEN_BLOCKS.includes(element.nodeName),
        `${element.nodeName} is between paragraphs`,
      );
  }
  return seen;
}

/** Whether an element is the invisible paragraph that separates two repeated tables. */
function isSeparator(element: Element): boolean {
  const [properties, ...content] = elements(element);
  return (
    element.nodeName === "w:p" &&
    content.length === 0 &&
    properties?.nodeName === "w:pPr" &&
    properties.toString().includes('w:line="20" w:lineRule="exact"')
  );
}

/** Returns the content of a cell or text box, which must end in a paragraph. */
function endingInParagraph(container: Element): Seen[] {
  const seen = blocks(container);
  assert("line" in (seen.at(-1) ?? {}), `${container.nodeName} does not end in a paragraph`);
  return seen;
}

function table(element: Element): Seen {
  const rows = elements(element).filter(({ nodeName }) => nodeName === "w:tr");
  assert(rows.length > 0, "a table without rows");
  return {
    table: rows.map((row) => {
      const cells = elements(row).filter(({ nodeName }) => nodeName === "w:tc");
      assert(cells.length > 0, "a row without cells");
      return cells.map(endingInParagraph);
    }),
  };
}

function paragraph(element: Element): Seen {
  const line: (readonly [string, number])[] = [];
  const boxes: Seen[][] = [];
  const walk = (node: Element): void => {
    assert(node.nodeName !== "w:p", "a paragraph within a paragraph");
    if (node.nodeName === "w:txbxContent") boxes.push(endingInParagraph(node));
    else if (node.nodeName === "w:r") line.push(...run(node));
    if (node.nodeName !== "w:txbxContent") elements(node).forEach(walk);
  };
  elements(element).forEach(walk);
  return { line: merged(line), boxes };
}

const AS_TEXT: Readonly<Record<string, string>> = { "w:br": "\n", "w:tab": "\t" };

function run(element: Element): Line {
  const size = /<w:sz [^>]*w:val="(\d)"/.exec(element.toString().split("<w:txbxContent")[0] ?? "");
  return elements(element).map((child): [string, number] => [
    child.nodeName === "w:t" ? (child.textContent ?? "") : (AS_TEXT[child.nodeName] ?? ""),
    Number(size?.[1] ?? 0),
  ]);
}
