import type { DocxPackage } from "@quire/ooxml/internal/open";
import type { Relationship } from "@quire/ooxml/internal/package/relationships";

/** Namespaces and relationship types differ between the two forms of the standard. */
const STRICT = /http:\/\/purl\.oclc\.org\/ooxml\/([A-Za-z]+)\/(?=[A-Za-z])/g;
const TRANSITIONAL =
  /http:\/\/schemas\.openxmlformats\.org\/(wordprocessingml|drawingml|officeDocument|schemaLibrary)\/2006\/(?=[A-Za-z])/g;

/** Whether the XML of a part uses the strict form of the standard. */
export function isStrict(xml: string): boolean {
  return /["']http:\/\/purl\.oclc\.org\/ooxml\/wordprocessingml\/main["']/.test(xml);
}

/**
 * Returns a view of a package in the strict or the transitional form. Word cannot read a document that mixes both
 * forms. Only namespaces and relationship types differ, so replacing them is enough.
 */
export function inDialect(docx: DocxPackage, strict: boolean): DocxPackage {
  if (isStrict(docx.readText(docx.mainPart)) === strict) return docx;
  const written = (text: string): string =>
    strict
      ? text.replace(TRANSITIONAL, "http://purl.oclc.org/ooxml/$1/")
      : text.replace(STRICT, "http://schemas.openxmlformats.org/$1/2006/");
  const relationships = new Map<string, readonly Relationship[]>();
  return {
    mainPart: docx.mainPart,
    storyParts: docx.storyParts,
    parts: docx.parts,
    warnings: docx.warnings,
    contentTypesXml: docx.contentTypesXml,
    entries: docx.entries,
    has: (part) => docx.has(part),
    mayHold: (part) => docx.mayHold(part),
    readText: (part) => written(docx.readText(part)),
    readBytes: (part) =>
      /[/+]xml$/.test(docx.contentTypeOf(part) ?? "")
        ? Buffer.from(written(docx.readText(part)))
        : docx.readBytes(part),
    relationshipsOf(part) {
      const known =
        relationships.get(part) ??
        docx.relationshipsOf(part).map((each) => ({ ...each, type: written(each.type) }));
      relationships.set(part, known);
      return known;
    },
    contentTypeOf: (part) => docx.contentTypeOf(part),
    partByKind: (kind) => docx.partByKind(kind),
  };
}

/** Returns the relationship type for a kind such as `styles`. */
export function officeRelationship(kind: string, strict: boolean): string {
  return strict
    ? `http://purl.oclc.org/ooxml/officeDocument/relationships/${kind}`
    : `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}`;
}
