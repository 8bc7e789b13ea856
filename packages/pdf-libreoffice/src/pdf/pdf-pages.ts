import type { PdfFile } from "./pdf-file.ts";
import { type PdfDict, PdfRef, type PdfValue, unusual } from "./pdf-syntax.ts";

/** A page with its inherited properties. */
export interface Page {
  readonly id: number;
  readonly dict: PdfDict;
}

const INHERITED: ReadonlySet<string> = new Set(["Resources", "MediaBox", "Rotate"]);

/** Returns the pages of a PDF in order. Adds the numbers of the objects of the page tree to `nodes`. */
export function pagesOf(file: PdfFile, nodes = new Set<number>()): Page[] {
  const pagesBelow = (node: PdfValue | undefined, inherited: PdfDict): Page[] => {
    if (!(node instanceof PdfRef) || nodes.has(node.id)) return unusual("an unusual page tree");
    nodes.add(node.id);
    const dict = file.dict(node);
    const kids = file.resolve(dict.get("Kids"));
    if (kids === null) return [{ id: node.id, dict: new Map([...inherited, ...dict]) }];
    if (!Array.isArray(kids)) return unusual("an unusual page tree");
    const more = [...dict].filter(([name]) => INHERITED.has(name));
    return kids.flatMap((kid) => pagesBelow(kid, new Map([...inherited, ...more])));
  };
  return pagesBelow(file.dict(file.trailer.get("Root")).get("Pages"), new Map());
}
