import { isPdf } from "../read/is-pdf.ts";
import { DOCUMENT_LIMITS } from "../read/parse-budget.ts";
import { parsePdf } from "../read/parse-pdf.ts";
import {
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRef,
  PDFString,
} from "../read/pdf-lib.ts";
import { arrayIn, dictIn, key } from "../read/pdf-objects.ts";
import { damaged, PdfProblem } from "../read/pdf-problem.ts";

/** A page of a source. */
export interface SourcePage {
  /** Null for a page that is a direct object in its parent, which PDF does not allow. */
  readonly ref: PDFRef | null;
  readonly dict: PDFDict;
  /** Attributes that the page inherits from its ancestors. */
  readonly inherited: ReadonlyMap<PDFName, PDFObject>;
}

/** A PDF to merge. */
export interface PacketSource {
  readonly context: PDFContext;
  readonly catalog: PDFDict;
  /** Contains at least one page. */
  readonly pages: readonly SourcePage[];
  /** Returns the target of a named destination; undefined if no destination has this name. */
  destination(name: PDFObject): PDFObject | undefined;
}

const INHERITED = ["Resources", "MediaBox", "CropBox", "Rotate"].map(key);
const DEEPEST = 500;

/** Parses a PDF and finds its pages. Rejects {@link PdfProblem} if it cannot be merged. */
export async function openSource(bytes: Uint8Array): Promise<PacketSource> {
  if (!isPdf(bytes)) throw damaged();
  const context = await parsePdf(bytes, DOCUMENT_LIMITS);
  const catalog = context.lookup(context.trailerInfo.Root);
  const root = catalog instanceof PDFDict ? dictIn(catalog, "Pages") : null;
  if (!(catalog instanceof PDFDict) || root === null) throw damaged();
  const pages: SourcePage[] = [];
  collectPages(root, new Map(), { context, pages, seen: new Set() }, 0);
  if (pages.length === 0) throw new PdfProblem("it has no pages");
  let names: Map<string, PDFObject> | null = null;
  const destination = (name: PDFObject): PDFObject | undefined => {
    names ??= destinationsOf(catalog, context);
    const text = keyText(name);
    return text === null ? undefined : names.get(text);
  };
  return { context, catalog, pages, destination };
}

interface Collection {
  readonly context: PDFContext;
  readonly pages: SourcePage[];
  readonly seen: Set<PDFDict>;
}

/** Throws {@link PdfProblem} if a node of the page tree is missing, or if the tree contains a cycle. */
function collectPages(
  node: PDFDict,
  above: ReadonlyMap<PDFName, PDFObject>,
  found: Collection,
  depth: number,
): void {
  const kids = arrayIn(node, "Kids");
  if (kids === null || depth > DEEPEST || found.seen.has(node)) throw damaged();
  found.seen.add(node);
  const inherited = new Map(above);
  for (const name of INHERITED) {
    const value = node.get(name);
    if (value !== undefined) inherited.set(name, value);
  }
  for (const kid of kids.asArray()) {
    const dict = found.context.lookup(kid);
    if (!(dict instanceof PDFDict)) throw damaged();
    if (dict.has(key("Kids"))) collectPages(dict, inherited, found, depth + 1);
    else found.pages.push({ ref: kid instanceof PDFRef ? kid : null, dict, inherited });
  }
}

/** Returns all named destinations. The old format identifies them by names, the new format by strings. */
function destinationsOf(catalog: PDFDict, context: PDFContext): Map<string, PDFObject> {
  const found = new Map<string, PDFObject>();
  for (const [name, value] of dictIn(catalog, "Dests")?.entries() ?? []) {
    found.set(keyText(name) ?? "", value);
  }
  const names = dictIn(catalog, "Names");
  const open: (PDFObject | undefined)[] = [names?.lookup(key("Dests"))];
  const seen = new Set<PDFObject>();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    for (const kid of arrayIn(node, "Kids")?.asArray() ?? []) open.push(context.lookup(kid));
    addPairs(arrayIn(node, "Names")?.asArray() ?? [], context, found);
  }
  return found;
}

function addPairs(
  pairs: readonly PDFObject[],
  context: PDFContext,
  found: Map<string, PDFObject>,
): void {
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = context.lookup(pairs[at]);
    const text = name === undefined ? null : keyText(name);
    const value = pairs[at + 1];
    if (text !== null && value !== undefined && !found.has(text)) found.set(text, value);
  }
}

/** Returns the name of a destination as a key that distinguishes a name from a string with the same characters. */
function keyText(name: PDFObject): string | null {
  if (name instanceof PDFName) return name.asString();
  if (!(name instanceof PDFString || name instanceof PDFHexString)) return null;
  return `(${Buffer.from(name.asBytes()).toString("latin1")}`;
}
