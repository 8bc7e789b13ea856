import { PdfFile } from "../pdf/pdf-file.ts";
import { type Page, pagesOf } from "../pdf/pdf-pages.ts";
import { UnsupportedPdf } from "../pdf/pdf-syntax.ts";
import { XMP_DATE } from "../pdf/xmp.ts";
import { canonical } from "./pdf/canonical.ts";
import { drawingOf, type Step } from "./pdf/drawing.ts";

/** Positions that differ by less than this, in points, are considered equal. It is a quarter of a pixel at 300 dpi. */
const EPSILON = 0.06;

/**
 * Describes the first visible difference between two PDFs that LibreOffice wrote, without quoting their text; null if
 * they look the same. Compares pages and their sizes, every glyph with its font, size, position and colour, lines,
 * fills, pictures, links, and metadata (Info and XMP) except dates. Content that cannot be compared counts as a difference.
 */
export function differenceBetween(single: Uint8Array, joined: Uint8Array): string | null {
  try {
    return compare(new PdfFile(single), new PdfFile(joined));
  } catch (error) {
    if (error instanceof UnsupportedPdf)
      return `content that cannot be compared (${error.message})`;
    throw error;
  }
}

function compare(a: PdfFile, b: PdfFile): string | null {
  const [first, second] = [pagesOf(a), pagesOf(b)];
  if (first.length !== second.length) return `${first.length} and ${second.length} pages`;
  if (infoOf(a) !== infoOf(b)) return "different metadata";
  if (xmpOf(a) !== xmpOf(b)) return "different XMP metadata";
  for (const [index, page] of first.entries()) {
    const other = second[index] as Page;
    const difference = comparePages(a, page, b, other);
    if (difference !== null) return `page ${index + 1}: ${difference}`;
  }
  return null;
}

function comparePages(a: PdfFile, page: Page, b: PdfFile, other: Page): string | null {
  for (const name of ["MediaBox", "Rotate", "Group"]) {
    if (canonical(a, page.dict.get(name)) !== canonical(b, other.dict.get(name))) {
      return "a different page size or kind";
    }
  }
  if (linksOf(a, page) !== linksOf(b, other)) return "different links";
  return compareSteps(drawingOf(a, page.dict), drawingOf(b, other.dict));
}

function compareSteps(a: readonly Step[], b: readonly Step[]): string | null {
  for (const [index, step] of a.entries()) {
    const other = b[index];
    if (other === undefined) return "less is drawn";
    if (step.what !== other.what) return `a different step (${kindOf(step)}, ${kindOf(other)})`;
    if (step.numbers.length !== other.numbers.length) return `a different step (${kindOf(step)})`;
    for (const [at, number] of step.numbers.entries()) {
      if (!(Math.abs(number - (other.numbers[at] ?? Number.NaN)) < EPSILON)) {
        return `a different position (${kindOf(step)})`;
      }
    }
  }
  return a.length < b.length ? "more is drawn" : null;
}

/** Returns the operation of a step without its details. */
function kindOf({ what }: Step): string {
  return what.split(" ", 1)[0] ?? "";
}

function linksOf(file: PdfFile, { dict }: Page): string {
  const annotations = file.resolve(dict.get("Annots"));
  if (!Array.isArray(annotations)) return "";
  return annotations
    .map((annotation) => {
      const facts = [...file.dict(annotation)].filter(([name]) => name !== "P");
      return canonical(file, new Map(facts));
    })
    .toSorted()
    .join("\n");
}

const CLOCK: ReadonlySet<string> = new Set(["CreationDate", "ModDate"]);

function infoOf(file: PdfFile): string {
  const info = file.trailer.get("Info");
  if (info === undefined) return "";
  return canonical(file, new Map([...file.dict(info)].filter(([name]) => !CLOCK.has(name))));
}

function xmpOf(file: PdfFile): string {
  const xmp = file.dict(file.trailer.get("Root")).get("Metadata");
  return xmp === undefined ? "" : file.contentOf(xmp).toString("latin1").replaceAll(XMP_DATE, "");
}
