import { Edits } from "./edits.ts";
import type { Removals } from "./removals.ts";
import { type ScanBounds, type ScanHandler, scanXml } from "./scan.ts";
import { localName } from "./scan-tag.ts";
import { unescapedText } from "./unescape.ts";

/** A base that is a folder, or anything else but a place of the web. */
const OUTSIDE = /^\s*(?:(?!https?:)[a-z][a-z\d+.-]*:|[\\/])/i;

/**
 * Takes the base of all relative links out of the properties of a document (`docProps/app.xml`) when it
 * is a folder: a click would open a file there, of the author's choice. Returns the text without it, or
 * null when there is none.
 */
export function cleanProperties(
  part: string,
  xml: Buffer,
  removals: Removals,
  bounds: ScanBounds,
): Buffer | null {
  const edits = new Edits();
  let base: { readonly depth: number; readonly start: number; text: string } | null = null;
  const handler: ScanHandler = {
    open({ name, empty, depth, start }) {
      if (base === null && !empty && localName(name) === "HyperlinkBase")
        base = { depth, start, text: "" };
    },
    text(from, to, literal) {
      // More is no address, and its beginning tells.
      if (base === null || base.text.length > MAX_ADDRESS) return;
      const end = Math.min(to, from + MAX_ADDRESS);
      base.text += literal ? xml.toString("utf8", from, end) : unescapedText(xml, from, end);
    },
    close(depth, _start, end) {
      if (base === null || base.depth !== depth) return;
      if (OUTSIDE.test(base.text)) {
        edits.remove(base.start, end);
        removals.add("removed_external_link", part, "HyperlinkBase");
      }
      base = null;
    },
  };
  scanXml(part, xml, handler, bounds);
  return edits.isEmpty ? null : edits.applyTo(xml);
}

const MAX_ADDRESS = 32_768;
