import { malformed } from "../limits/refusal.ts";
import { Edits } from "../xml/edits.ts";
import { nameKey } from "../xml/part-names.ts";
import { type Place, type ScanBounds, scanElements } from "../xml/scan.ts";
import type { ScannedAttribute } from "../xml/scan-tag.ts";

/** The part with the types of all other parts. */
export const CONTENT_TYPES_PART = "[Content_Types].xml";

const WORD_MAIN =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** The types of the main part of a `.docx`, and of files that become one: `.dotx`, `.docm`, `.dotm`. */
export const MAIN_TYPES: ReadonlySet<string> = new Set([
  WORD_MAIN,
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
  "application/vnd.ms-word.document.macroenabled.main+xml",
  "application/vnd.ms-word.template.macroenabledtemplate.main+xml",
]);

/** Whether a content type, in lowercase, is the type of the main part of a `.docx`. */
export function isDocxType(type: string | undefined): boolean {
  return type === WORD_MAIN;
}

/** Parts of these types contain macros or something that calls them. */
const MACRO_TYPES: ReadonlySet<string> = new Set([
  "application/vnd.ms-office.vbaproject",
  "application/vnd.ms-office.vbaprojectsignature",
  "application/vnd.ms-office.vbaprojectsignatureagile",
  "application/vnd.ms-office.vbaprojectsignaturev3",
  "application/vnd.ms-word.vbadata+xml",
  "application/vnd.ms-word.attachedtoolbars",
  "application/vnd.ms-word.keymapcustomizations+xml",
]);

/** Whether a content type, in lowercase, means macros, something that calls them, or a file with macros. */
export function isMacroType(type: string | undefined): boolean {
  if (type === undefined || MAIN_TYPES.has(type)) return false;
  // All binary workbooks have this type, with or without macros.
  return MACRO_TYPES.has(type) || (type.includes("macroenabled") && !type.includes("binary"));
}

/** The type that replaces the type of macros, in case kept parts still need a type for their extension. */
const EMBEDDED_OBJECT = "application/vnd.openxmlformats-officedocument.oleobject";

interface TypeEntry {
  readonly of: "part" | "extension";
  /** The key of a part's name, or an extension in lowercase. */
  readonly key: string;
  readonly type: string;
  /** The position of the attribute with the type. */
  readonly attribute: Place;
}

/** The content types of a package. */
export interface ContentTypes {
  /** Returns the type of a part, in lowercase and without parameters. Overrides take precedence over defaults. */
  of(part: string): string | undefined;
  /**
   * Returns the XML for a package without some of its parts, with the main part's type for a `.docx`, or null when
   * unchanged.
   */
  rewritten(dropped: ReadonlySet<string>, kept: readonly string[]): Buffer | null;
}

/** Reads `[Content_Types].xml`. Throws `invalid_template` when it gives one part two types. */
export function parseContentTypes(xml: Buffer, bounds?: ScanBounds): ContentTypes {
  const known = new Map<string, string>();
  const entries = scanElements(
    CONTENT_TYPES_PART,
    xml,
    (name, attributes) => typeEntry(name, attributes, known),
    bounds,
  );
  const types = { part: new Map<string, string>(), extension: new Map<string, string>() };
  for (const { of, key, type } of entries) {
    const other = types[of].get(key);
    if (other !== undefined && other !== type) {
      throw malformed(CONTENT_TYPES_PART, `it gives ${key} two content types`);
    }
    types[of].set(key, type);
  }
  return {
    of: (part) => types.part.get(nameKey(part)) ?? types.extension.get(extensionOf(part)),
    rewritten(dropped, kept) {
      const removed = new Set([...dropped].map(nameKey));
      const needed = new Set(
        kept.filter((part) => !types.part.has(nameKey(part))).map((part) => extensionOf(part)),
      );
      const edits = new Edits();
      for (const { of, key, type, start, end, attribute } of entries) {
        const isUnused = of === "part" ? removed.has(key) : isMacroType(type) && !needed.has(key);
        if (isUnused) {
          edits.remove(start, end);
          continue;
        }
        const other = replacementOf(type);
        if (other === null) continue;
        edits.replace(attribute.start, attribute.end, `ContentType="${other}"`);
      }
      return edits.isEmpty ? null : edits.applyTo(xml);
    },
  };
}

/** Returns the replacement for a type that a `.docx` must not have, or null if the type is allowed. */
function replacementOf(type: string): string | null {
  if (isMacroType(type)) return EMBEDDED_OBJECT;
  return MAIN_TYPES.has(type) && !isDocxType(type) ? WORD_MAIN : null;
}

/**
 * Reads one type entry. `known` contains the types that were read before, so that each type is kept in memory only
 * once.
 */
function typeEntry(
  name: string,
  attributes: readonly ScannedAttribute[],
  known: Map<string, string>,
): TypeEntry | null {
  const given = (wanted: string): ScannedAttribute | undefined =>
    attributes.find((attribute) => attribute.name === wanted);
  const written = given("ContentType");
  if (written === undefined) return null;
  const [lower = ""] = written.value.toLowerCase().split(";", 1);
  const type = known.get(lower) ?? lower.trim();
  known.set(lower, type);
  const attribute = { start: written.start, end: written.end };
  const part = given("PartName")?.value;
  if (name.endsWith("Override") && part !== undefined) {
    return { of: "part", key: nameKey(part.replace(/^\//, "")), type, attribute };
  }
  const extension = given("Extension")?.value;
  if (name.endsWith("Default") && extension !== undefined) {
    return { of: "extension", key: extension.toLowerCase(), type, attribute };
  }
  return null;
}

/** Returns the extension of a part's name, in lowercase. */
export function extensionOf(part: string): string {
  return part.slice(part.lastIndexOf(".") + 1).toLowerCase();
}

const XML_EXTENSIONS: ReadonlySet<string> = new Set(["xml", "rels", "vml", "svg", "xsl", "xsd"]);

/** Whether a part claims to be XML, by its content type, in lowercase, or by its name. */
export function isXmlType(part: string, type: string): boolean {
  return (
    type.endsWith("+xml") ||
    type.endsWith("/xml") ||
    type.endsWith(".vmldrawing") ||
    XML_EXTENSIONS.has(extensionOf(part))
  );
}
