import { type Archive, notWord, openArchive, tooLarge } from "./archive.ts";
import { parseRelationships, type Relationship, relationshipsPartOf } from "./relationships.ts";
import { decodeXml, parseXml } from "./xml.ts";

/** An opened Word file: what can be read from it. Nothing in it changes. */
export interface DocxPackage {
  /**
   * The main document, found by its relationship (Word Online writes `word/document2.xml`), then every
   * part that hangs on it and holds running text, in a fixed order.
   */
  readonly storyParts: readonly string[];
  /** The text of an XML part. Throws `invalid_template` when it is missing or no text. */
  readText(part: string): string;
}

/** Kinds of relationships whose targets hold paragraphs. */
const STORY_KINDS = new Set(["header", "footer", "footnotes", "endnotes", "comments"]);

const DOCX_CONTENT_TYPE =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

const CONTENT_TYPES_PART = "[Content_Types].xml";

/** The most bytes of all story parts together: they are in memory at once, as several texts and a tree. */
const MAX_STORIES = 200_000_000;

/**
 * Opens the bytes of a Word file. Throws `invalid_template` with a message of its own for each way
 * in which a file can be something else: empty, protected by a password, an old `.doc`, another
 * format, a truncated zip, a damaged part, a zip that holds no Word document. Throws `limit_exceeded`
 * when it is too large to be worked with.
 */
export function openPackage(bytes: Uint8Array): DocxPackage {
  const archive = openArchive(bytes);
  const readText = reader(archive);
  const mainPart = findMainPart(readText);
  const relationshipsPart = relationshipsPartOf(mainPart);
  const relationships = archive.has(relationshipsPart)
    ? parseRelationships(mainPart, readText(relationshipsPart))
    : [];
  archive.verify();
  const parts = storyParts(mainPart, relationships);
  const size = parts.reduce((sum, part) => sum + archive.sizeOf(part), 0);
  if (size > MAX_STORIES) throw tooLarge("its text", size, MAX_STORIES);
  return { storyParts: parts, readText };
}

/**
 * Throws `invalid_template` unless the bytes are a Word document that can be opened: a zip with a
 * main part of a Word type. LibreOffice converts anything that is *named* `.docx`, so a converter
 * asks this first. What its parts hold is not read.
 */
export function assertDocx(bytes: Uint8Array): void {
  findMainPart(reader(openArchive(bytes)));
}

function reader(archive: Archive): DocxPackage["readText"] {
  return (part) => decodeXml(part, archive.read(part));
}

function storyParts(mainPart: string, relationships: readonly Relationship[]): string[] {
  const parts = new Set([mainPart]);
  for (const { kind, target } of relationships) {
    if (target !== null && STORY_KINDS.has(kind)) parts.add(target);
  }
  return [...parts];
}

/** The part that is the main document, once its type is known to be that of a `.docx`. */
function findMainPart(readText: DocxPackage["readText"]): string {
  const contentTypes = parseContentTypes(readText(CONTENT_TYPES_PART));
  const relationships = parseRelationships("", readText(relationshipsPartOf("")));
  const main = relationships.find(({ kind }) => kind === "officeDocument");
  if (main === undefined || main.target === null) throw notWord("it names no main document");
  const type = contentTypes(main.target) ?? "(none)";
  if (/^application\/vnd\.(openxmlformats.*\.wordprocessingml\.template|ms-word)\./.test(type)) {
    throw notWord("it is a .dotx, .docm or .dotm file: save it in Word as .docx");
  }
  if (type !== DOCX_CONTENT_TYPE) {
    throw notWord(`its main part ${main.target} has the content type ${type}`);
  }
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
