import type { DocxPackage } from "@quire/ooxml/internal/open";
import { canonicalXml } from "@quire/ooxml/internal/xml/xml";
import { listFacts, type NumberingPart, readNumbering } from "../program/numbering-part.ts";
import { rootAttributes } from "../template/definition-parts.ts";
import { attributesOf } from "../template/nodes/nodes.ts";
import type { Numbering } from "../template/nodes/tag-uses.ts";
import { readStyles, type Styles } from "../template/styles.ts";
import { type Scope, scopeOf } from "./declarations.ts";

/** The styles and lists of a template. Maps without a comment contain whole elements as XML, by id. */
export interface Source {
  readonly styles: ReadonlyMap<string, string>;
  /**
   * For each style id, a key made of the style's type and name. Equal styles of two templates have the same key. Ids
   * cannot be compared, because they depend on the language of Word: the id of `heading 1` is `berschrift1` in German.
   */
  readonly styleKeys: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, string>;
  readonly definitions: ReadonlyMap<string, string>;
  /** Returns the id of a list's definition, with links to list styles resolved; null if the definition is missing. */
  readonly definitionOf: (numId: string) => string | null;
  /** The lists that set a start number. */
  readonly restarting: ReadonlySet<string>;
  /** Picture bullets, as XML, by id. */
  readonly pictures: ReadonlyMap<string, string>;
  /** The declarations on the root elements of both parts. */
  readonly stylesScope: Scope;
  readonly numberingScope: Scope;
  readonly facts: Styles;
  readonly numbering: NumberingPart;
  /** The default paragraph style; null if the template does not define one. */
  readonly defaultStyle: string | null;
  /** Returns the name of a style as Word shows it. */
  readonly nameOf: (style: string) => string;
  /** Returns the numbering of a paragraph style; null if the style is not numbered. */
  readonly ofStyle: (style: string) => Numbering | null;
}

/** Reads the definitions from the canonical XML of both parts; null for a part that is missing. */
export function readSource(styles: string | null, numbering: string | null): Source {
  const byStyleId = byId(styles, STYLE, "w:styleId");
  const facts = readStyles("styles", styles);
  const read = readNumbering(null, numbering, "");
  const lists = byId(numbering, LIST, "w:numId");
  const definitions = byId(numbering, DEFINITION, "w:abstractNumId");
  const linked = linkedDefinitions(definitions);
  const ofLists = new Map<string, string>();
  for (const [numId, xml] of lists) {
    const id = /<w:abstractNumId w:val="([^"]*)"/.exec(xml)?.[1] ?? "";
    const resolved = linked.get(id) ?? id;
    if (definitions.has(resolved)) ofLists.set(numId, resolved);
  }
  const isDefault = / w:default="(?:1|true|on)"/;
  const byDefault = [...byStyleId].find(([, xml]) => {
    const start = xml.slice(0, xml.indexOf(">"));
    return isDefault.test(start) && start.includes(' w:type="paragraph"');
  });
  return {
    styles: byStyleId,
    styleKeys: new Map([...byStyleId].map(([id, xml]) => [id, styleKey(id, xml)])),
    lists,
    definitions,
    definitionOf: (numId) => ofLists.get(numId) ?? null,
    restarting: new Set(
      [...lists].flatMap(([numId, xml]) => (xml.includes("<w:startOverride ") ? [numId] : [])),
    ),
    pictures: byId(numbering, PICTURE, "w:numPicBulletId"),
    stylesScope: scopeOf(styles === null ? "" : rootAttributes(styles, "w:styles")),
    numberingScope: scopeOf(numbering === null ? "" : rootAttributes(numbering, "w:numbering")),
    facts,
    numbering: read,
    defaultStyle: byDefault?.[0] ?? null,
    nameOf: (id) => styleName(id, byStyleId.get(id) ?? ""),
    ofStyle: listFacts(read, facts).ofStyle,
  };
}

/** Reads the definitions of an opened template. */
export function sourceOf(docx: DocxPackage): Source {
  return readSource(partXml(docx, "styles"), partXml(docx, "numbering"));
}

function styleKey(id: string, xml: string): string {
  const type = / w:type="([^"]*)"/.exec(xml.slice(0, xml.indexOf(">")))?.[1] ?? "paragraph";
  return `${type} ${styleName(id, xml).toLowerCase()}`;
}

function styleName(id: string, xml: string): string {
  return /<w:name w:val="([^"]*)"/.exec(xml)?.[1] ?? id;
}

/** Maps each definition that links to a list style to the definition of that style. */
function linkedDefinitions(definitions: ReadonlyMap<string, string>): Map<string, string> {
  const ofStyle = new Map<string, string>();
  for (const [id, xml] of definitions) {
    const style = /<w:styleLink w:val="([^"]*)"/.exec(xml)?.[1];
    if (style !== undefined) ofStyle.set(style, id);
  }
  const linked = new Map<string, string>();
  for (const [id, xml] of definitions) {
    const style = /<w:numStyleLink w:val="([^"]*)"/.exec(xml)?.[1];
    const home = style === undefined ? undefined : ofStyle.get(style);
    if (home !== undefined) linked.set(id, home);
  }
  return linked;
}

const STYLE = /<w:style((?: [^>]*)?)(?<!\/)>.*?<\/w:style>/gs;
const LIST = /<w:num((?: [^>]*)?)(?<!\/)>.*?<\/w:num>/gs;
const DEFINITION = /<w:abstractNum((?: [^>]*)?)(?<!\/)>.*?<\/w:abstractNum>/gs;
const PICTURE = /<w:numPicBullet((?: [^>]*)?)(?<!\/)>.*?<\/w:numPicBullet>/gs;

function byId(xml: string | null, pattern: RegExp, attribute: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [whole, attributes = ""] of (xml ?? "").matchAll(pattern)) {
    const id = attributesOf(attributes)[attribute];
    if (id !== undefined) found.set(id, whole);
  }
  return found;
}

function partXml(docx: DocxPackage, kind: string): string | null {
  const part = docx.partByKind(kind);
  return part === null ? null : canonicalXml(part, docx.readText(part));
}
