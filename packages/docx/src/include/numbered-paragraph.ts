import { attributesOf, childNamed, type ElementNode, insertAt } from "../template/nodes/nodes.ts";
import {
  type Indents,
  keepIndents,
  newElement,
  putProperty,
} from "../template/nodes/paragraph-properties.ts";
import type { Source } from "./source.ts";

/** The numbering of a paragraph through its style. */
interface StyleNumbering {
  readonly style: string;
  readonly numId: number;
  readonly level: number;
}

/**
 * Returns the numbering that an included paragraph has through its style; null if there is none, or if the paragraph
 * refers to a list directly.
 */
export function numberingOf(paragraph: ElementNode, source: Source): StyleNumbering | null {
  const properties = childNamed(paragraph, "w:pPr");
  const own = childNamed(properties, "w:numPr");
  if (childNamed(own, "w:numId") !== null) return null;
  const style = valOf(childNamed(properties, "w:pStyle")) ?? source.defaultStyle;
  const numbering = style === null ? null : source.ofStyle(style);
  if (style === null || numbering === null) return null;
  const level = Number(valOf(childNamed(own, "w:ilvl")) ?? numbering.level);
  return { style, numId: numbering.numId, level };
}

/** Sets the list of a paragraph, and keeps the indents of its style, which take precedence over those of the list. */
export function setNumbering(
  paragraph: ElementNode,
  numId: string,
  level: number,
  indents: Indents,
): void {
  let properties = childNamed(paragraph, "w:pPr");
  if (properties === null) {
    properties = newElement("w:pPr", "");
    insertAt(paragraph, 0, properties);
  }
  const numPr = newElement(
    "w:numPr",
    "",
    newElement("w:ilvl", ` w:val="${level}"`),
    newElement("w:numId", ` w:val="${numId}"`),
  );
  numPr.ownIndents = childNamed(properties, "w:ind")?.attributes ?? "";
  putProperty(properties, numPr);
  keepIndents(properties, indents);
}

function valOf(element: ElementNode | null): string | undefined {
  return attributesOf(element?.attributes ?? "")["w:val"];
}
