import { Edits } from "./edits.ts";
import type { Removals } from "./removals.ts";
import { type ScanBounds, type ScanHandler, scanXml } from "./scan.ts";

/**
 * Checks an SVG picture and takes out the links by which it would fetch others. The type declaration
 * that drawing programs write goes too. Returns the text without them, or null when there are none.
 */
export function cleanSvg(
  part: string,
  xml: Buffer,
  removals: Removals,
  bounds: ScanBounds,
): Buffer | null {
  const edits = new Edits();
  const handler: ScanHandler = {
    doctype: (start, end) => edits.remove(start, end),
    open(tag) {
      if (localName(tag.name) === "a") return;
      for (const { name, value, start, end } of tag.attributes()) {
        if (localName(name) !== "href" || isWithin(value)) continue;
        edits.remove(start, end);
        removals.add("removed_remote_image", part, `@${start}`);
      }
    },
  };
  scanXml(part, xml, handler, bounds);
  return edits.isEmpty ? null : edits.applyTo(xml);
}

/** Whether a reference is to an element of the same file, or holds its picture itself. */
function isWithin(reference: string): boolean {
  const target = reference.trim();
  return target === "" || target.startsWith("#") || /^data:image\/(?!svg)/i.test(target);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
