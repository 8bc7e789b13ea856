import { type PDFContext, PDFDict, PDFNumber, type PDFObject, PDFRef } from "./pdf-lib.ts";
import { arrayIn, dictIn, key, type Rectangle, rectangleOf } from "./pdf-objects.ts";
import { damaged, PdfProblem } from "./pdf-problem.ts";

/** A page of a PDF. */
export interface PdfPage {
  readonly ref: PDFRef;
  readonly dict: PDFDict;
  /** The visible part of the page: the crop box within the media box. */
  readonly box: Rectangle;
  /** Clockwise rotation in degrees: 0, 90, 180 or 270. */
  readonly rotation: number;
  readonly resources: PDFObject | undefined;
}

const INHERITED = ["Resources", "MediaBox", "CropBox", "Rotate"];
const MAX_DEPTH = 100;
const LETTER: Rectangle = { left: 0, bottom: 0, right: 612, top: 792 };

interface Node {
  readonly ref: PDFRef;
  readonly inherited: ReadonlyMap<string, PDFObject>;
  readonly depth: number;
}

/**
 * Returns the pages in order. Throws {@link PdfProblem} for an invalid page tree, and for a document that has no pages
 * or too many.
 */
export function pagesOf(context: PDFContext, maxPages: number): PdfPage[] {
  const catalog = catalogOf(context);
  const root = catalog.get(key("Pages"));
  if (!(root instanceof PDFRef)) throw damaged();
  const pages: PdfPage[] = [];
  const seen = new Set<PDFRef>();
  const open: Node[] = [{ ref: root, inherited: new Map(), depth: 0 }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const dict = context.lookup(node.ref);
    if (seen.has(node.ref)) throw new PdfProblem("its page tree contains a cycle");
    if (!(dict instanceof PDFDict) || node.depth > MAX_DEPTH) throw damaged();
    seen.add(node.ref);
    const inherited = inheritedBy(dict, node.inherited);
    const kids = kidsOf(dict);
    if (kids === null) pages.push(pageOf(node.ref, dict, inherited));
    else for (const ref of kids) open.push({ ref, inherited, depth: node.depth + 1 });
    if (pages.length + open.length > 2 * maxPages) throw tooManyPages(maxPages);
  }
  if (pages.length > maxPages) throw tooManyPages(maxPages);
  if (pages.length === 0) throw new PdfProblem("it has no pages");
  return pages;
}

/** Returns the catalog of a document. Throws {@link PdfProblem} if it is missing. */
export function catalogOf(context: PDFContext): PDFDict {
  const catalog = context.lookup(context.trailerInfo.Root);
  if (!(catalog instanceof PDFDict) || dictIn(catalog, "Pages") === null) throw damaged();
  return catalog;
}

function tooManyPages(max: number): PdfProblem {
  return new PdfProblem(`it has more than ${max} pages`);
}

/** Returns the children of a node in the page tree, in reverse order; null for a page. */
function kidsOf(dict: PDFDict): PDFRef[] | null {
  const kids = arrayIn(dict, "Kids")?.asArray().toReversed();
  if (kids === undefined) return null;
  return kids.map((kid) => {
    if (!(kid instanceof PDFRef)) throw damaged();
    return kid;
  });
}

function inheritedBy(
  dict: PDFDict,
  above: ReadonlyMap<string, PDFObject>,
): ReadonlyMap<string, PDFObject> {
  const own = INHERITED.filter((name) => dict.has(key(name)));
  if (own.length === 0) return above;
  const all = new Map(above);
  for (const name of own) all.set(name, dict.get(key(name)) as PDFObject);
  return all;
}

function pageOf(ref: PDFRef, dict: PDFDict, inherited: ReadonlyMap<string, PDFObject>): PdfPage {
  const lookup = (name: string): PDFObject | undefined => dict.context.lookup(inherited.get(name));
  const sheet = sensible(rectangleOf(lookup("MediaBox"))) ?? LETTER;
  const crop = rectangleOf(lookup("CropBox")) ?? sheet;
  const rotate = lookup("Rotate");
  const turned = rotate instanceof PDFNumber ? rotate.asNumber() : 0;
  return {
    ref,
    dict,
    box: sensible(common(sheet, crop)) ?? sheet,
    rotation: turned % 90 === 0 ? ((turned % 360) + 360) % 360 : 0,
    resources: inherited.get("Resources"),
  };
}

function common(a: Rectangle, b: Rectangle): Rectangle {
  return {
    left: Math.max(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
    top: Math.min(a.top, b.top),
  };
}

/** Returns the rectangle; null if it is missing or empty. */
function sensible(box: Rectangle | null): Rectangle | null {
  return box !== null && box.right > box.left && box.top > box.bottom ? box : null;
}
