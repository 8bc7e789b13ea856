import type { RemovalCode } from "./removals.ts";

/** Elements that documents must not contain. They are removed with their content. */
export const REMOVED_ELEMENTS: ReadonlyMap<string, RemovalCode> = new Map([
  ["w:altChunk", "removed_alt_chunk"],
  ["w:control", "removed_activex"],
  ["w:entryMacro", "removed_macros"],
  ["w:exitMacro", "removed_macros"],
  ["w:objectLink", "removed_ole_link"],
  ["w:attachedTemplate", "removed_external_template"],
  // After its template is removed, a document would copy the styles of the reader's template.
  ["w:linkStyles", "removed_style_updates"],
  ["w:mailMerge", "removed_mail_merge"],
  ["w:subDoc", "removed_external_link"],
  ["w:sourceFileName", "removed_external_link"],
  ["w:saveThroughXslt", "removed_external_link"],
  ["wp15:webVideoPr", "removed_external_link"],
]);

/** Elements that are meaningless or invalid without the relationship that they use. */
export const NOTHING_WITHOUT_TARGET: ReadonlySet<string> = new Set([
  "a:audioFile",
  "a:hlinkClick",
  "a:hlinkHover",
  "a:hlinkMouseOver",
  "a:quickTimeFile",
  "a:videoFile",
  "a:wavAudioFile",
  "asvg:svgBlip",
  "c:chart",
  "c:externalData",
  "c:userShapes",
  "cx:chart",
  "cx:externalData",
  "dgm:relIds",
  "o:OLEObject",
  "w14:contentPart",
  "w:contentPart",
  "w:embedBold",
  "w:embedBoldItalic",
  "w:embedItalic",
  "w:embedRegular",
  "w:footerReference",
  "w:headerReference",
  "w:movie",
  "w:objectEmbed",
  "w:printerSettings",
]);

/** Elements that embed a font. */
export const EMBEDDED_FONTS: ReadonlySet<string> = new Set([
  "w:embedBold",
  "w:embedBoldItalic",
  "w:embedItalic",
  "w:embedRegular",
]);

/** Whether the name of a font could be a path: LibreOffice wrote embedded fonts to such paths (CVE-2024-12425). */
export function isPathLike(name: string): boolean {
  return /[/\\%]|\.\./.test(name);
}

/** Elements that refer to a picture, in addition to all VML elements. */
export const PICTURES: ReadonlySet<string> = new Set(["a:blip", "asvg:svgBlip"]);

/** Elements that may use a hyperlink. For any other element, the target would be fetched. */
export const HYPERLINKS: ReadonlySet<string> = new Set([
  "a:hlinkClick",
  "a:hlinkHover",
  "a:hlinkMouseOver",
  "w:hyperlink",
]);

/** Attributes of VML elements that name a file directly, without a relationship. */
export const VML_SOURCES: ReadonlySet<string> = new Set(["src", "o:href", "o:althref"]);

/** Attributes that name a file, on any element. */
export const SOURCES: ReadonlySet<string> = new Set(["sl:manifestLocation", "sl:schemaLocation"]);

/** Elements that begin a separate text flow. A field that begins in a flow also ends there. */
export const FLOWS: ReadonlySet<string> = new Set([
  "w:txbxContent",
  "w:footnote",
  "w:endnote",
  "w:comment",
  "w:docPartBody",
]);

/** Elements whose content a reader may include or ignore. */
export const CONTEXTS: ReadonlyMap<string, "deleted" | "inserted" | "branch"> = new Map([
  ["w:del", "deleted"],
  ["w:moveFrom", "deleted"],
  ["w:ins", "inserted"],
  ["w:moveTo", "inserted"],
  ["mc:Choice", "branch"],
  ["mc:Fallback", "branch"],
]);

/** Elements whose text a reader may read as an instruction. */
export const TEXTS: ReadonlySet<string> = new Set([
  "w:instrText",
  "w:delInstrText",
  "w:t",
  "w:delText",
]);
