import { isQuireError } from "@quire/contracts";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import { localName } from "@quire/ooxml/internal/xml/scan-tag";
import { attributeList, parseXml, type XmlHandler } from "@quire/ooxml/internal/xml/xml";
import {
  attributesOf,
  childNamed,
  descendants,
  type ElementNode,
} from "../template/nodes/nodes.ts";
import { isOwnComment } from "../template/nodes/own-comments.ts";
import { sectionsOf } from "./left-out-pages.ts";

/** The template that receives included content. */
export class Receiver {
  /** The XML of the template's main part. */
  readonly main: string;
  readonly #docx: DocxPackage;
  #settings: Settings | null = null;
  #headers: Set<string> | null = null;

  constructor(docx: DocxPackage, main: string) {
    this.#docx = docx;
    this.main = main;
  }

  get settings(): Settings {
    this.#settings ??= settingsOf(this.#docx);
    return this.#settings;
  }

  /** The visible content of all its headers and footers. */
  get headers(): ReadonlySet<string> {
    const docx = this.#docx;
    if (this.#headers !== null) return this.#headers;
    const parts = docx
      .relationshipsOf(docx.mainPart)
      .flatMap(({ kind, part }) =>
        part !== null && /^(?:header|footer)$/.test(kind) ? [part] : [],
      );
    this.#headers = new Set([...new Set(parts)].map((part) => visibleContent(docx, part)));
    return this.#headers;
  }
}

/**
 * Names the parts of an included template that a reader would miss, such as "its header": everything that is visible in
 * that template and is not part of its body. For differences between pages, see {@link leftOutPages}. Call this before
 * the tree changes.
 */
export function leftOutOf(root: ElementNode, docx: DocxPackage, receiver: Receiver): string[] {
  const body = childNamed(root, "w:body");
  if (body === null) return [];
  const settings = settingsOf(docx);
  const found = leftOutHeaders(body, docx, settings, receiver);
  if (settings.hyphenation && !receiver.settings.hyphenation) found.push("its hyphenation");
  if (has(body, ({ name, parent }) => name === "w:tab" && parent?.name === "w:r")) {
    const difference = settings.tabStop - receiver.settings.tabStop;
    if (Math.abs(difference) > VISIBLE_TWIPS) found.push("its default tab stops");
  }
  const isColoured = childNamed(root, "w:background") !== null && settings.background;
  if (isColoured && !receiver.main.includes("<w:background ")) found.push("its page color");
  if (hasComments(body, docx)) found.push("its comments");
  if (showsProperties(body)) found.push("the document properties that its fields show");
  return found;
}

/** Names the headers and footers whose visible content the including template does not have. */
function leftOutHeaders(
  body: ElementNode,
  docx: DocxPackage,
  settings: Settings,
  receiver: Receiver,
): string[] {
  const relationships = docx.relationshipsOf(docx.mainPart);
  const parts = new Map(relationships.map(({ id, part }) => [id, part]));
  const sections = sectionsOf(body);
  return ["header", "footer"].flatMap((kind) => {
    const ids = sections.flatMap((section) => shownIn(section, kind, settings));
    // Several sections may show the same header or footer.
    const shown = new Set(ids.map((id) => parts.get(id) ?? null));
    const isLeftOut = [...shown].some((part) => {
      const content = part === null ? "" : visibleContent(docx, part);
      return content !== "" && !receiver.headers.has(content);
    });
    return isLeftOut ? [`its ${kind}`] : [];
  });
}

/** Returns the relationships to the headers or footers that a section shows. */
function shownIn(section: ElementNode, kind: string, settings: Settings): string[] {
  const title = childNamed(section, "w:titlePg");
  const hasFirst = title !== null && isOn(attributesOf(title.attributes));
  return section.children.flatMap((node) => {
    if (node.kind !== "element" || node.name !== `w:${kind}Reference`) return [];
    const { "w:type": type, "r:id": id } = attributesOf(node.attributes);
    if (type === "first" && !hasFirst) return [];
    if (type === "even" && !settings.evenAndOdd) return [];
    return id === undefined ? [] : [id];
  });
}

/** Returns the visible content of a part as text; may be empty. Returns `unknown` if the part is malformed. */
function visibleContent(docx: DocxPackage, part: string): string {
  let content = "";
  let inText = false;
  const isRead = read(docx, part, {
    open(name) {
      const local = localName(name);
      inText = local === "t" || local === "instrText";
      if (PICTURES.has(local)) content += `<${local}>`;
    },
    close() {
      inText = false;
    },
    text(text) {
      if (inText) content += text;
    },
  });
  return isRead ? content.trim() : "unknown";
}

const PICTURES: ReadonlySet<string> = new Set(["drawing", "pict", "object", "sym"]);

/** One millimeter, in twentieths of a point. */
const VISIBLE_TWIPS = 57;

/** Settings that change the look of the content. */
interface Settings {
  evenAndOdd: boolean;
  hyphenation: boolean;
  /** Whether the page color is shown. */
  background: boolean;
  /** The distance between tab stops, in twentieths of a point. */
  tabStop: number;
}

function settingsOf(docx: DocxPackage): Settings {
  // Word's defaults.
  const found = { evenAndOdd: false, hyphenation: false, background: false, tabStop: 720 };
  const part = docx.partByKind("settings");
  if (part === null) return found;
  read(docx, part, {
    open(name, attributes) {
      const local = localName(name);
      if (local === "evenAndOddHeaders") found.evenAndOdd = isOn(attributes);
      if (local === "autoHyphenation") found.hyphenation = isOn(attributes);
      if (local === "displayBackgroundShape") found.background = isOn(attributes);
      if (local === "defaultTabStop") found.tabStop = Number(attributes["w:val"]) || 0;
    },
    close() {},
  });
  return found;
}

function isOn(attributes: Readonly<Record<string, string | undefined>>): boolean {
  return !/^(?:0|false|off)$/.test(attributes["w:val"] ?? "");
}

/** Reads a part whose content is not included. Returns false if the part is malformed. */
function read(docx: DocxPackage, part: string, handler: XmlHandler): boolean {
  try {
    parseXml(part, docx.readText(part), handler);
    return true;
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return false;
  }
}

/** Whether a body has comments that Quire did not write. */
function hasComments(body: ElementNode, docx: DocxPackage): boolean {
  const part = docx.partByKind("comments");
  if (part === null) return false;
  const own = new Set<string | undefined>();
  read(docx, part, {
    open(_name, attributes) {
      if (isOwnComment(attributeList(attributes))) own.add(attributes["w:id"]);
    },
    close() {},
  });
  return has(
    body,
    ({ name, attributes }) =>
      name === "w:commentReference" && !own.has(attributesOf(attributes)["w:id"]),
  );
}

/** Matches fields that show properties of their document. */
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
