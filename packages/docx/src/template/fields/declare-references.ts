import { attributesOf, type ElementNode } from "../nodes/nodes.ts";

const MAIN = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships";

/**
 * Declares the prefix `r` on the root of a part, because values may add links to the part. Word always declares the
 * prefix; other programs do so only where they use it.
 */
export function declareReferences(root: ElementNode): void {
  const attributes = attributesOf(root.attributes);
  if (!root.name.startsWith("w:") || attributes["xmlns:r"] !== undefined) return;
  const isStrict = attributes["xmlns:w"]?.startsWith("http://purl.oclc.org/") === true;
  root.attributes += ` xmlns:r="${isStrict ? STRICT : MAIN}"`;
}
