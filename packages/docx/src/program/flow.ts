import { escapeText } from "@quire/ooxml/internal/xml/escape";
import {
  attributesOf,
  childNamed,
  type ElementNode,
  leadingProperties,
  type TagNode,
  type TemplateNode,
} from "../template/nodes/nodes.ts";
import { paragraphPropertiesXml, readProperties } from "../values/rich/properties.ts";
import type { ListFacts } from "./paragraph-lists.ts";

/**
 * The markup around a tag in a run of a paragraph. Content of another kind must close this markup and open it again.
 */
export interface FlowContext {
  /** Closes the run. */
  readonly closeRun: string;
  /** Opens the run again, with its properties. */
  readonly openRun: string;
  /** The XML within the run's `w:rPr`; may be empty. */
  readonly runProperties: string;
  /** The XML within the paragraph's `w:pPr`, without numbering and section ends. */
  readonly paragraphProperties: string;
  /** Closes the paragraph and the elements between it and the run; null if the paragraph cannot be split. */
  readonly closeParagraph: string | null;
  /** Opens the paragraph and these elements again. */
  readonly openParagraph: string;
  /** Whether the tag is in a link. */
  readonly inLink: boolean;
  /** The width of the text column around the tag, in EMU; null if unknown. */
  readonly maxWidthEmu: number | null;
}

/** Removes the numbering of a style. */
const UNNUMBERED = '<w:numPr><w:numId w:val="0"/></w:numPr>';

/** Elements between a paragraph and a run that keep their meaning when they are split. */
const CUTTABLE = new Set(["w:hyperlink", "w:ins", "w:smartTag", "w:moveTo"]);

/**
 * Returns the context of a tag in a `w:t` of a run in a paragraph; null for any other tag. `whole`: whether the
 * paragraph may be split. `lists`: knows which styles number their paragraphs.
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
  // The page break has already occurred before the first part of the paragraph.
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

/** Returns a node as in the template. Tags are written as text. */
export function nodeXml(node: TemplateNode): string {
  switch (node.kind) {
    case "text":
      return node.xml;
    case "tag":
      return escapeText(node.text);
    case "marker":
      return "";
    case "element": {
      const { name, attributes, children, look, styled } = node;
      if (look !== undefined && !look.isThere) return "";
      if (styled !== undefined && attributes === "") return "";
      return children.length === 0
        ? `<${name}${attributes}/>`
        : `<${name}${attributes}>${children.map(nodeXml).join("")}</${name}>`;
    }
  }
}
