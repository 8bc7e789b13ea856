import type { PdfPage } from "./pages.ts";
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
} from "./pdf-lib.ts";
import { bytesOf, dictIn, key } from "./pdf-objects.ts";

/**
 * Returns a page with a drawing on top of its content. `drawing` becomes a resource, and `operators` returns operators
 * that draw the resource with the given name. The page's changes to the graphics state do not affect the drawing.
 */
export function withDrawing(
  { dict, resources }: Pick<PdfPage, "dict" | "resources">,
  drawing: PDFRef,
  operators: (name: string) => string,
): PDFDict {
  const { context } = dict;
  const found = context.lookup(resources);
  const all = found instanceof PDFDict ? found.clone(context) : context.obj({});
  const drawings = dictIn(all, "XObject")?.clone(context) ?? context.obj({});
  let number = 1;
  while (drawings.has(PDFName.of(`Quire${number}`))) number += 1;
  const name = `Quire${number}`;
  drawings.set(PDFName.of(name), drawing);
  all.set(key("XObject"), drawings);
  const before = stream(context, "q\n");
  const after = stream(context, `\nQ\nq ${operators(name)} Q\n`);
  const page = dict.clone(context);
  page.set(key("Contents"), context.obj([before, ...contentsOf(dict), after]));
  page.set(key("Resources"), all);
  return page;
}

function contentsOf(dict: PDFDict): PDFObject[] {
  const contents = dict.lookup(key("Contents"));
  if (contents instanceof PDFArray) return contents.asArray();
  const held = dict.get(key("Contents"));
  return contents === undefined || held === undefined ? [] : [held];
}

function stream(context: PDFContext, operators: string): PDFRef {
  return context.register(PDFRawStream.of(context.obj({}), bytesOf(operators)));
}
