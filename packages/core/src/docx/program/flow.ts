import { escapeText } from "../package/xml.ts";
import {
  attributesOf,
  childNamed,
  type ElementNode,
  leadingProperties,
  type TagNode,
  type TemplateNode,
} from "../template/nodes.ts";
import { paragraphPropertiesXml, readProperties } from "../values/rich/properties.ts";
import type { ListFacts } from "./lists.ts";

/** What stands around a tag in a run of a paragraph: all that content of another kind must close and open again. */
export interface FlowContext {
  /** Closes the run. */
  readonly closeRun: string;
  /** Opens it again, with its properties. */
  readonly openRun: string;
  /** The XML within the run's `w:rPr`; empty when there is none. */
  readonly runProperties: string;
  /** The XML within the paragraph's `w:pPr`, with nothing that numbers it or ends a section. */
  readonly paragraphProperties: string;
  /** Closes the paragraph and what stands between it and the run; null where it cannot be cut in two. */
  readonly closeParagraph: string | null;
  /** Opens these again. */
  readonly openParagraph: string;
  /** Whether it stands in a link. */
  readonly inLink: boolean;
  /** The width of the text column around, in EMU, as far as it is known. */
  readonly maxWidthEmu: number | null;
}

/** Takes the number away that a style brings. */
const UNNUMBERED = '<w:numPr><w:numId w:val="0"/></w:numPr>';

/** Elements between a paragraph and a run that mean the same when they are cut in two. */
const CUTTABLE = new Set(["w:hyperlink", "w:ins", "w:smartTag", "w:moveTo"]);

/**
 * The surroundings of a tag that stands in a `w:t` of a run in a paragraph; null for any other tag.
 * With `whole`, the paragraph may be cut in two. `lists`: the numbers that styles bring.
 */
export function flowContextOf(
  tag: TagNode,
  whole: boolean,
  maxWidthEmu: number | null,
  lists: ListFacts,
): FlowContext | null {
  const text = tag.parent;
  const run = text?.parent ?? null;
  if (text?.name !== "w:t" || run?.name !== "w:r") return null;
  const runProperties = childrenXml(leadingProperties(run, "w:rPr"));
  let closeParagraph: string | null = "";
  let openParagraph = "";
  let inLink = false;
  let at = run.parent;
  for (; at !== null && at.name !== "w:p"; at = at.parent) {
    inLink ||= at.name === "w:hyperlink";
    if (!CUTTABLE.has(at.name) || at.tagged !== undefined) closeParagraph = null;
    else if (closeParagraph !== null) {
      closeParagraph += `</${at.name}>`;
      openParagraph = `<${at.name}${at.attributes}>${openParagraph}`;
    }
  }
  if (at === null) return null;
  const properties = leadingProperties(at, "w:pPr");
  const kept = properties?.children.filter((node) => !isName(node, "w:numPr", "w:sectPr")) ?? [];
  const style = childNamed(properties, "w:pStyle");
  const numbered = lists.ofStyle(attributesOf(style?.attributes ?? "")["w:val"] ?? "") !== null;
  const unnumbered = numbered ? UNNUMBERED : "";
  const paragraphProperties = kept.map(nodeXml).join("") + unnumbered;
  // The page has been broken where the paragraph began.
  const reopened = kept.filter((node) => !isName(node, "w:pageBreakBefore")).map(nodeXml);
  const reopenedXml = paragraphPropertiesXml(readProperties(reopened.join("") + unnumbered));
  const cut = whole && childNamed(properties, "w:sectPr") === null;
  return {
    closeRun: "</w:t></w:r>",
    openRun: `<w:r>${runProperties === "" ? "" : `<w:rPr>${runProperties}</w:rPr>`}<w:t xml:space="preserve">`,
    runProperties,
    paragraphProperties,
    closeParagraph: cut && closeParagraph !== null ? `${closeParagraph}</w:p>` : null,
    openParagraph: `<w:p>${reopenedXml}${openParagraph}`,
    inLink,
    maxWidthEmu,
  };
}

function isName(node: TemplateNode, ...names: readonly string[]): boolean {
  return node.kind === "element" && names.includes(node.name);
}

function childrenXml(element: ElementNode | null): string {
  return element?.children.map(nodeXml).join("") ?? "";
}

/** A node as it stands in the template. Tags are written as text. */
function nodeXml(node: TemplateNode): string {
  switch (node.kind) {
    case "text":
      return node.xml;
    case "tag":
      return escapeText(node.text);
    case "marker":
      return "";
    case "element": {
      const { name, attributes, children } = node;
      return children.length === 0
        ? `<${name}${attributes}/>`
        : `<${name}${attributes}>${children.map(nodeXml).join("")}</${name}>`;
    }
  }
}
