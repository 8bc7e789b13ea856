import type { DocxPackage } from "@quire/ooxml/internal/open";
import { Edits } from "@quire/ooxml/internal/xml/edits";
import { NamespaceScope } from "@quire/ooxml/internal/xml/namespaces";
import { type ScanBounds, type ScanHandler, scanXml } from "@quire/ooxml/internal/xml/scan";
import type { ScannedTag } from "@quire/ooxml/internal/xml/scan-tag";

/** The namespace of Word's elements, and the namespace in the standard's strict form. */
export const TRANSITIONAL = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
export const STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main";

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns the namespace in scope for an element name as written; Word's own if there is no declaration. */
export function namespaceOf(scope: NamespaceScope, name: string): string {
  return scope.uriOf(name.slice(0, Math.max(name.indexOf(":"), 0))) ?? TRANSITIONAL;
}

/**
 * Returns the declaration that an element with the prefix `w` needs, with a space before it. Empty if the prefix is
 * already bound, as in nearly all files.
 */
export function declarationFor(scope: NamespaceScope, namespace: string): string {
  return scope.uriOf("w") === namespace ? "" : ` xmlns:w="${namespace}"`;
}

/** Returns the value of an attribute by its usual name; null if it is missing. */
export function attributeOf(scope: NamespaceScope, tag: ScannedTag, wanted: string): string | null {
  return tag.attributes().find(({ name }) => scope.attribute(name) === wanted)?.value ?? null;
}

/** Returns the value of an attribute as an integer; null if it is missing or not an integer. */
export function numberOf(scope: NamespaceScope, tag: ScannedTag, wanted: string): number | null {
  const value = attributeOf(scope, tag, wanted)?.trim() ?? "";
  return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : null;
}

/** What {@link appendToRoot} reports about a root element. */
export interface Root {
  /** The prefix of the element's name as written, with the colon; may be empty. */
  readonly prefix: string;
  readonly namespace: string;
  /** See {@link declarationFor}. */
  readonly declaration: string;
}

/** Returns a part converted to UTF-8. Replaces an XML declaration that names another encoding. */
export function readUtf8(docx: DocxPackage, part: string): Buffer {
  const xml = docx.readText(part);
  const [declaration = ""] = /^<\?xml[^>]*\?>/.exec(xml) ?? [];
  if (!/\sencoding\s*=/.test(declaration) || /["']utf-8["']/i.test(declaration)) {
    return Buffer.from(xml);
  }
  return Buffer.from(`${XML_DECLARATION}${xml.slice(declaration.length)}`);
}

/** Adds the elements that `write` returns at the end of the root element. */
export function appendToRoot(
  part: string,
  xml: Buffer,
  write: (root: Root) => string,
  bounds?: ScanBounds,
): Buffer {
  const scope = new NamespaceScope();
  const edits = new Edits();
  let added = "";
  const handler: ScanHandler = {
    open(tag) {
      if (tag.depth > 0) return;
      scope.enter(0, tag.attributes());
      const { name, end, empty } = tag;
      const namespace = namespaceOf(scope, name);
      const prefix = name.slice(0, name.indexOf(":") + 1);
      added = write({ prefix, namespace, declaration: declarationFor(scope, namespace) });
      if (empty) edits.replace(end - "/>".length, end, `>${added}</${name}>`);
    },
    close(depth, start) {
      if (depth === 0) edits.replace(start, start, added);
    },
  };
  scanXml(part, xml, handler, bounds);
  return edits.applyTo(xml);
}
