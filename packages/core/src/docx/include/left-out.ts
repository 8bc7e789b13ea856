import type { DocxPackage } from "../package/open.ts";
import { attributesOf, childNamed, descendants, type ElementNode } from "../template/nodes.ts";
import { isOwnComment } from "../template/own-comments.ts";
import { leftOutPages, sectionsOf } from "./left-out-pages.ts";

/** The place that receives included content. */
export interface Receiver {
  readonly docx: DocxPackage;
  /** The XML of its main part. */
  readonly main: string;
  /** The properties of the section around the place; null if there is none, as in headers. */
  readonly section: ElementNode | null;
}

/**
 * Names what a reader would miss of an included template, such as "its header": everything that is visible
 * there and is not the content of the body. Call it before the tree changes.
 */
export function leftOutOf(root: ElementNode, docx: DocxPackage, receiver: Receiver): string[] {
  const body = childNamed(root, "w:body");
  if (body === null) return [];
  const found = [
    ...leftOutHeaders(body, docx, receiver),
    ...leftOutPages(body, receiver.section),
    ...leftOutSettings(body, docx, receiver),
  ];
  if (hasBackground(root, docx) && !receiver.main.includes("<w:background ")) {
    found.push("its page colour");
  }
  if (hasComments(body, docx)) found.push("its comments");
  if (showsProperties(body)) found.push("the document properties that its fields show");
  return found;
}

/** Headers and footers with visible content that the including template does not have. */
function leftOutHeaders(body: ElementNode, docx: DocxPackage, receiver: Receiver): string[] {
  const found = new Set<string>();
  let known: Set<string> | null = null;
  for (const section of sectionsOf(body)) {
    for (const kind of ["header", "footer"]) {
      for (const part of partsShown(section, kind, docx)) {
        const content = contentOf(docx.readText(part));
        known ??= contentsOf(receiver.docx);
        if (content !== "" && !known.has(content)) found.add(`its ${kind}`);
      }
    }
  }
  return [...found];
}

/** The headers or footers that a section shows. */
function partsShown(section: ElementNode, kind: string, docx: DocxPackage): string[] {
  return section.children.flatMap((node) => {
    if (node.kind !== "element" || node.name !== `w:${kind}Reference`) return [];
    const { "w:type": type, "r:id": id } = attributesOf(node.attributes);
    if (type === "first" && !isOn(childNamed(section, "w:titlePg"))) return [];
    if (type === "even" && !hasSetting(docx, "evenAndOddHeaders")) return [];
    const part = docx.relationshipsOf(docx.mainPart).find((each) => each.id === id)?.part ?? null;
    return part === null ? [] : [part];
  });
}

/** The visible content of all headers and footers of a template. */
function contentsOf(docx: DocxPackage): Set<string> {
  const parts = docx
    .relationshipsOf(docx.mainPart)
    .flatMap(({ kind, part }) => (part !== null && /^(?:header|footer)$/.test(kind) ? [part] : []));
  return new Set(parts.map((part) => contentOf(docx.readText(part))));
}

/** The visible content of a part as text; empty if there is none. */
function contentOf(xml: string): string {
  const pictures = /<(?:\w+:)?(?:drawing|pict|object|sym)[\s/>]/.test(xml) ? " (picture)" : "";
  const text = xml
    .replace(/<!--.*?-->|<\?.*?\?>|<(?:\w+:)?delText[^>]*>[^<]*/gs, "")
    .replace(/<[^>]*>/g, "")
    .trim();
  return text + pictures;
}

/** Settings that change the look of the content. */
function leftOutSettings(body: ElementNode, docx: DocxPackage, receiver: Receiver): string[] {
  const found: string[] = [];
  if (hasSetting(docx, "autoHyphenation") && !hasSetting(receiver.docx, "autoHyphenation")) {
    found.push("its hyphenation");
  }
  if (has(body, ({ name, parent }) => name === "w:tab" && parent?.name === "w:r")) {
    const difference = tabStop(docx) - tabStop(receiver.docx);
    if (Math.abs(difference) > VISIBLE_TWIPS) found.push("its distance between tab stops");
  }
  return found;
}

/** One millimetre. */
const VISIBLE_TWIPS = 57;

/** Word's default, in twentieths of a point. */
const DEFAULT_TAB_STOP = 720;

function tabStop(docx: DocxPackage): number {
  const setting = /<(?:\w+:)?defaultTabStop\s[^>]*:val\s*=\s*["'](\d+)["']/.exec(settingsOf(docx));
  return Number(setting?.[1] ?? DEFAULT_TAB_STOP);
}

function hasSetting(docx: DocxPackage, name: string): boolean {
  const setting = new RegExp(`<(?:\\w+:)?${name}[\\s/>][^>]*`).exec(settingsOf(docx))?.[0];
  return setting !== undefined && !OFF.test(setting);
}

function settingsOf(docx: DocxPackage): string {
  const part = docx.partByKind("settings");
  return part === null ? "" : docx.readText(part);
}

const OFF = /val\s*=\s*["'](?:0|false|off)["']/;

function isOn(element: ElementNode | null): boolean {
  return element !== null && !OFF.test(element.attributes);
}

function hasBackground(root: ElementNode, docx: DocxPackage): boolean {
  return childNamed(root, "w:background") !== null && hasSetting(docx, "displayBackgroundShape");
}

/** Whether a body has comments that Quire did not write. */
function hasComments(body: ElementNode, docx: DocxPackage): boolean {
  const part = docx.partByKind("comments");
  if (part === null) return false;
  const own = new Set<string | undefined>();
  for (const [, attributes = ""] of docx.readText(part).matchAll(/<w:comment( [^>]*)>/g)) {
    if (isOwnComment(attributes)) own.add(attributesOf(attributes)["w:id"]);
  }
  return has(
    body,
    ({ name, attributes }) =>
      name === "w:commentReference" && !own.has(attributesOf(attributes)["w:id"]),
  );
}

/** Fields that show properties of their document. */
const PROPERTY_FIELD =
  /^\s*(?:TITLE|AUTHOR|SUBJECT|KEYWORDS|COMMENTS|DOCPROPERTY|DOCVARIABLE|INFO|LASTSAVEDBY|CREATEDATE|SAVEDATE|FILENAME|TEMPLATE)\b/i;

function showsProperties(body: ElementNode): boolean {
  for (const node of descendants(body)) {
    const instruction =
      node.kind === "element" && node.name === "w:fldSimple"
        ? attributesOf(node.attributes)["w:instr"]
        : node.kind === "text" && node.parent?.name === "w:instrText"
          ? node.xml
          : undefined;
    if (instruction !== undefined && PROPERTY_FIELD.test(instruction)) return true;
  }
  return false;
}

function has(root: ElementNode, wanted: (element: ElementNode) => boolean): boolean {
  for (const node of descendants(root)) if (node.kind === "element" && wanted(node)) return true;
  return false;
}
