import { Edits } from "../xml/edits.ts";
import { type ScanBounds, type ScanHandler, scanXml } from "../xml/scan.ts";
import { localName, type ScannedTag } from "../xml/scan-tag.ts";
import { unescapedText } from "../xml/unescape.ts";
import type { Removals } from "./removals.ts";

/** Matches an absolute path, or an address with any scheme except http and https. */
const OUTSIDE = /^\s*(?:(?!https?:)[a-z][a-z\d+.-]*:|[\\/])/i;

/** Matches a web address, with any ending. */
const WEB = /^\s*https?:\/\//i;

/** Properties that name a program for Word to install and run when it opens the document (VSTO), in lower case. */
const ADD_IN = /^_assembly(?:name|location)\d*$/i;

/**
 * Removes document properties that lead outside the document. In `docProps/app.xml`, removes the base of all relative
 * links if it is neither a web address nor a relative address, or if it contains a tag (`start` begins a tag) that data
 * could turn into such a base: a click would open a file that somebody else chose. In `docProps/custom.xml`, removes
 * the properties that name a program for Word to download and run. Returns the changed text, or null when nothing
 * changes.
 */
export function cleanProperties(
  part: string,
  xml: Buffer,
  removals: Removals,
  bounds: ScanBounds,
  start: string | null,
): Buffer | null {
  const edits = new Edits();
  let base: { readonly depth: number; readonly start: number; text: string } | null = null;
  let addIn: { readonly depth: number; readonly start: number } | null = null;
  const handler: ScanHandler = {
    open(tag) {
      const { name, empty, depth, start } = tag;
      if (base === null && !empty && localName(name) === "HyperlinkBase")
        base = { depth, start, text: "" };
      if (addIn === null && !empty && namesAddIn(tag)) addIn = { depth, start };
    },
    text(from, to, literal) {
      // Longer text is not an address. Its start shows whether it leads outside the document.
      if (base === null || base.text.length > MAX_ADDRESS) return;
      const end = Math.min(to, from + MAX_ADDRESS);
      base.text += literal ? xml.toString("utf8", from, end) : unescapedText(xml, from, end);
    },
    close(depth, _start, end) {
      if (addIn?.depth === depth) {
        edits.remove(addIn.start, end);
        removals.add("removed_web_extension", part);
        addIn = null;
      }
      if (base === null || base.depth !== depth) return;
      const isFilled = start !== null && base.text.includes(start) && !WEB.test(base.text);
      if (isFilled || OUTSIDE.test(base.text)) {
        edits.remove(base.start, end);
        const how = isFilled ? ", which contains a tag" : "";
        removals.add("removed_external_link", part, `HyperlinkBase${how}`);
      }
      base = null;
    },
  };
  scanXml(part, xml, handler, bounds);
  return edits.isEmpty ? null : edits.applyTo(xml);
}

function namesAddIn(tag: ScannedTag): boolean {
  if (localName(tag.name) !== "property") return false;
  return tag.attributes().some(({ name, value }) => name === "name" && ADD_IN.test(value.trim()));
}

const MAX_ADDRESS = 32_768;
