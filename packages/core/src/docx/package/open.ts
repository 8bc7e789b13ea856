import PizZip from "pizzip";
import { QuireError } from "../../errors.ts";
import { parseRelationships, type Relationship, relationshipsPartOf } from "./relationships.ts";
import { decodeXml, parseXml } from "./xml.ts";

/** An opened Word file: what can be read from it. Nothing in it changes. */
export interface DocxPackage {
  /** The file itself; the writer copies from it. */
  readonly bytes: Uint8Array;
  /** The main document, found by its relationship (Word Online writes `word/document2.xml`). */
  readonly mainPart: string;
  /** The main document, then every part that hangs on it and holds running text, in a fixed order. */
  readonly storyParts: readonly string[];
  /** The text of an XML part. Throws `invalid_template` when it is missing or no text. */
  readText(part: string): string;
}

/** Kinds of relationships whose targets hold paragraphs. */
const STORY_KINDS = new Set(["header", "footer", "footnotes", "endnotes", "comments"]);

const DOCX_CONTENT_TYPE =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

const CONTENT_TYPES_PART = "[Content_Types].xml";

/**
 * Opens the bytes of a Word file. Throws `invalid_template` with a message of its own for each way
 * in which a file can be something else: empty, protected by a password, an old `.doc`, another
 * format, a truncated zip, a zip that holds no Word document.
 */
export function openPackage(bytes: Uint8Array): DocxPackage {
  const zip = openZip(bytes);
  const readText = (part: string): string => {
    const entry = Object.hasOwn(zip.files, part) ? zip.files[part] : undefined;
    if (entry === undefined || entry.dir) {
      throw notWord(`it holds no ${part}`);
    }
    return decodeXml(part, inflate(part, entry));
  };
  const contentTypes = parseContentTypes(readText(CONTENT_TYPES_PART));
  const mainPart = findMainPart(readText);
  const type = contentTypes(mainPart) ?? "(none)";
  if (/^application\/vnd\.(openxmlformats.*\.wordprocessingml\.template|ms-word)\./.test(type)) {
    throw notWord("it is a .dotx, .docm or .dotm file: save it in Word as .docx");
  }
  if (type !== DOCX_CONTENT_TYPE) {
    throw notWord(`its main part ${mainPart} has the content type ${type}`);
  }
  const relationshipsPart = relationshipsPartOf(mainPart);
  const relationships = Object.hasOwn(zip.files, relationshipsPart)
    ? parseRelationships(mainPart, readText(relationshipsPart))
    : [];
  return { bytes, mainPart, storyParts: storyParts(mainPart, relationships), readText };
}

/**
 * Throws `invalid_template` unless the bytes are a Word document that can be opened: a zip with a
 * main part of a Word type. LibreOffice converts anything that is *named* `.docx`, so a converter
 * asks this first.
 */
export function assertDocx(bytes: Uint8Array): void {
  openPackage(bytes);
}

function storyParts(mainPart: string, relationships: readonly Relationship[]): string[] {
  const parts = new Set([mainPart]);
  for (const { kind, target } of relationships) {
    if (target !== null && STORY_KINDS.has(kind)) parts.add(target);
  }
  return [...parts];
}

function findMainPart(readText: (part: string) => string): string {
  const relationships = parseRelationships("", readText(relationshipsPartOf("")));
  const main = relationships.find(({ kind }) => kind === "officeDocument");
  if (main === undefined || main.target === null) throw notWord("it names no main document");
  return main.target;
}

/** Content type by part name: overrides first, then the default of the extension, without case. */
function parseContentTypes(xml: string): (part: string) => string | undefined {
  const overrides = new Map<string, string>();
  const defaults = new Map<string, string>();
  parseXml(CONTENT_TYPES_PART, xml, {
    open(name, { PartName, Extension, ContentType = "" }) {
      if (name.endsWith("Override") && PartName !== undefined) {
        overrides.set(PartName.replace(/^\//, "").toLowerCase(), ContentType);
      }
      if (name.endsWith("Default") && Extension !== undefined) {
        defaults.set(Extension.toLowerCase(), ContentType);
      }
    },
    close() {},
  });
  return (part) => {
    const name = part.toLowerCase();
    return overrides.get(name) ?? defaults.get(name.slice(name.lastIndexOf(".") + 1));
  };
}

function openZip(bytes: Uint8Array): PizZip {
  const reason = notAZip(bytes);
  if (reason !== null) throw notWord(reason);
  try {
    return new PizZip(bytes);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    throw /encrypted/i.test(message)
      ? notWord("its content is encrypted", cause)
      : notWord("the zip archive is truncated or damaged", cause);
  }
}

function inflate(part: string, entry: PizZip.ZipObject): Uint8Array {
  try {
    return entry.asUint8Array();
  } catch (cause) {
    throw notWord(`its part ${part} is damaged`, cause);
  }
}

function notAZip(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return "it is empty";
  const magic = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  if (magic.startsWith("PK\x03\x04")) return null;
  if (magic.startsWith("\xd0\xcf\x11\xe0")) {
    return "it is protected by a password or is an old .doc file: save it in Word as .docx without a password";
  }
  if (magic.startsWith("%PDF")) return "it is a PDF";
  if (magic.startsWith("{\\rtf")) return "it is an RTF file";
  return "it is no zip archive";
}

function notWord(why: string, cause?: unknown): QuireError {
  return new QuireError(
    "invalid_template",
    `This is no Word document that can be used as a template: ${why}.`,
    { cause },
  );
}
