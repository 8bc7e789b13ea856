import { Edits } from "./edits.ts";
import { nameKey } from "./names.ts";
import { malformed } from "./refusal.ts";
import { type ScanBounds, type ScannedElement, scanElements } from "./scan.ts";
import type { ScannedAttribute } from "./scan-tag.ts";

/** The part that tells the types of all others. */
export const CONTENT_TYPES_PART = "[Content_Types].xml";

const WORD_MAIN =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** The types of the main part of a `.docx`, and of what becomes one: `.dotx`, `.docm`, `.dotm`. */
export const MAIN_TYPES: ReadonlySet<string> = new Set([
  WORD_MAIN,
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
  "application/vnd.ms-word.document.macroenabled.main+xml",
  "application/vnd.ms-word.template.macroenabledtemplate.main+xml",
]);

/** Whether a content type, in lower case, is that of the main part of a `.docx`. */
export function isDocxType(type: string | undefined): boolean {
  return type === WORD_MAIN;
}

/** Parts of these types hold macros or what calls them. */
const MACRO_TYPES: ReadonlySet<string> = new Set([
  "application/vnd.ms-office.vbaproject",
  "application/vnd.ms-office.vbaprojectsignature",
  "application/vnd.ms-office.vbaprojectsignatureagile",
  "application/vnd.ms-office.vbaprojectsignaturev3",
  "application/vnd.ms-word.vbadata+xml",
  "application/vnd.ms-word.attachedtoolbars",
  "application/vnd.ms-word.keymapcustomizations+xml",
]);

/** Whether a content type, in lower case, is that of macros or of what calls them. */
export function isMacroType(type: string | undefined): boolean {
  return type !== undefined && MACRO_TYPES.has(type);
}

/** What a default type that goes is replaced by when parts are left that need one. */
const EMBEDDED_OBJECT = "application/vnd.openxmlformats-officedocument.oleobject";

interface TypeEntry {
  readonly of: "part" | "extension";
  /** The key of a part's name, or an extension in lower case. */
  readonly key: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly attribute: ScannedAttribute;
}

/** The content types of a package. */
export interface ContentTypes {
  /** The type of a part, in lower case and without parameters: overrides win over defaults. */
  of(part: string): string | undefined;
  /**
   * The XML for a package without some of its parts, whose main part is one of a `.docx`; null when
   * it is as it was.
   */
  rewritten(dropped: ReadonlySet<string>, kept: readonly string[]): Buffer | null;
}

/** Reads `[Content_Types].xml`. Throws `invalid_template` when it gives one part two types. */
export function parseContentTypes(xml: Buffer, bounds?: ScanBounds): ContentTypes {
  const entries = scanElements(CONTENT_TYPES_PART, xml, bounds).flatMap(typeEntry);
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
      const gone = new Set([...dropped].map(nameKey));
      const needed = new Set(
        kept.filter((part) => !types.part.has(nameKey(part))).map((part) => extensionOf(part)),
      );
      const edits = new Edits();
      for (const { of, key, type, start, end, attribute } of entries) {
        const isUnused = of === "part" ? gone.has(key) : isMacroType(type) && !needed.has(key);
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

/** What a type becomes that has no place in a `.docx`, or null. */
function replacementOf(type: string): string | null {
  if (isMacroType(type)) return EMBEDDED_OBJECT;
  return MAIN_TYPES.has(type) && !isDocxType(type) ? WORD_MAIN : null;
}

function typeEntry({ name, attributes, start, end }: ScannedElement): TypeEntry[] {
  const given = (wanted: string): ScannedAttribute | undefined =>
    attributes.find((attribute) => attribute.name === wanted);
  const attribute = given("ContentType");
  if (attribute === undefined) return [];
  const [type = ""] = attribute.value.toLowerCase().split(";", 1);
  const entry = { type: type.trim(), start, end, attribute };
  const part = given("PartName")?.value;
  if (name.endsWith("Override") && part !== undefined) {
    return [{ ...entry, of: "part", key: nameKey(part.replace(/^\//, "")) }];
  }
  const extension = given("Extension")?.value;
  if (name.endsWith("Default") && extension !== undefined) {
    return [{ ...entry, of: "extension", key: extension.toLowerCase() }];
  }
  return [];
}

/** What stands after the last dot of a part's name, in lower case. */
export function extensionOf(part: string): string {
  return part.slice(part.lastIndexOf(".") + 1).toLowerCase();
}

const XML_EXTENSIONS: ReadonlySet<string> = new Set(["xml", "rels", "vml", "svg", "xsl", "xsd"]);

/** Whether a part says that it is XML, by its content type, in lower case, or by its name. */
export function isXmlType(part: string, type: string): boolean {
  return (
    type.endsWith("+xml") ||
    type.endsWith("/xml") ||
    type.endsWith(".vmldrawing") ||
    XML_EXTENSIONS.has(extensionOf(part))
  );
}
