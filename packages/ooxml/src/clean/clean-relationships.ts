import { isMacroType } from "../package/content-types.ts";
import type { Relationship } from "../package/relationships.ts";
import type { RemovalCode } from "./removals.ts";

/** Kinds of relationships, in lowercase, that documents must not have, wherever they lead. */
const REMOVED_KINDS: ReadonlyMap<string, RemovalCode> = new Map([
  ["attachedtemplate", "removed_external_template"],
  ["afchunk", "removed_alt_chunk"],
  ["control", "removed_activex"],
  ["activexcontrol", "removed_activex"],
  ["activexcontrolbinary", "removed_activex"],
  ["vbaproject", "removed_macros"],
  ["vbaprojectsignature", "removed_macros"],
  ["vbaprojectsignatureagile", "removed_macros"],
  ["vbaprojectsignaturev3", "removed_macros"],
  ["wordvbadata", "removed_macros"],
  ["keymapcustomizations", "removed_macros"],
  ["attachedtoolbars", "removed_macros"],
  ["extensibility", "removed_macros"],
  ["usercustomization", "removed_macros"],
  ["mailmergesource", "removed_mail_merge"],
  ["mailmergeheadersource", "removed_mail_merge"],
  ["mailmergerecipientdata", "removed_mail_merge"],
  ["recipientdata", "removed_mail_merge"],
  ["subdocument", "removed_external_link"],
  ["webextensiontaskpanes", "removed_web_extension"],
  ["webextension", "removed_web_extension"],
  ["origin", "removed_signature"],
]);

/** The code for removing an external target, by the kind of its relationship in lowercase. */
const EXTERNAL_KINDS: ReadonlyMap<string, RemovalCode> = new Map([
  ["image", "removed_remote_image"],
  ["oleobject", "removed_ole_link"],
  ["package", "removed_ole_link"],
]);

const HYPERLINKS: ReadonlySet<string> = new Set([
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink",
  "http://purl.oclc.org/ooxml/officeDocument/relationships/hyperlink",
]);

/**
 * Whether a relationship is a hyperlink to something outside. Hyperlinks are kept, because only a reader's click opens
 * them.
 */
export function isHyperlink({ type, external }: Relationship): boolean {
  return external && HYPERLINKS.has(type);
}

/**
 * Kinds of relationships, in lowercase, whose targets are `.bin` files, as macros are, and often have the default type
 * of macros.
 */
const BINARY_KINDS: ReadonlySet<string> = new Set(["oleobject", "printersettings"]);

/** The content type of VBA projects. In some documents, Word gives this type to all `.bin` parts. */
const VBA_PROJECT = "application/vnd.ms-office.vbaproject";

/** Returns why a relationship to a part with this content type is removed, or null if the relationship is kept. */
export function removalOf(relationship: Relationship, type?: string): RemovalCode | null {
  const kind = relationship.kind.toLowerCase();
  const removed = REMOVED_KINDS.get(kind);
  if (removed !== undefined) return removed;
  const isOther = type === VBA_PROJECT && BINARY_KINDS.has(kind);
  if (isMacroType(type) && !isOther) return "removed_macros";
  if (!relationship.external || isHyperlink(relationship)) return null;
  return EXTERNAL_KINDS.get(kind) ?? "removed_external_link";
}

/** Kinds of relationships whose targets are read as XML, regardless of their type and name. */
const XML_KINDS: ReadonlySet<string> = new Set([
  "officeDocument",
  "header",
  "footer",
  "footnotes",
  "endnotes",
  "comments",
  "styles",
  "stylesWithEffects",
  "settings",
  "webSettings",
  "fontTable",
  "numbering",
  "theme",
  "themeOverride",
  "glossaryDocument",
  "chart",
  "chartEx",
  "chartUserShapes",
  "diagramData",
  "diagramLayout",
  "diagramQuickStyle",
  "diagramColors",
  "diagramDrawing",
  "customXml",
  "customXmlProps",
  "core-properties",
  "extended-properties",
  "custom-properties",
]);

/** The root elements of parts with running text, by the kind of relationship that leads there. */
const ROOTS: ReadonlyMap<string, string> = new Map([
  ["officeDocument", "w:document"],
  ["header", "w:hdr"],
  ["footer", "w:ftr"],
  ["footnotes", "w:footnotes"],
  ["endnotes", "w:endnotes"],
  ["comments", "w:comments"],
]);

/**
 * Returns the root element that Word writes into the target of a relationship, or undefined where it does not matter.
 */
export function rootBehind({ kind }: Relationship): string | undefined {
  return ROOTS.get(kind);
}

/** Whether a reader that follows a relationship reads its target as XML. */
export function leadsToXml({ kind }: Relationship): boolean {
  return XML_KINDS.has(kind);
}

/** Whether readers open the target of a relationship as a picture. */
export function leadsToPicture({ kind }: Relationship): boolean {
  return kind === "image";
}
