import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFObject,
  PDFRef,
  PDFStream,
} from "./pdf-lib.ts";

/** How a document differs from the context that it is made of. */
export interface Differences {
  /** Objects that are needed though nothing leads to them. */
  readonly more?: readonly PDFRef[];
  /** Objects that stand in the place of the context's own. */
  readonly replaced?: ReadonlyMap<PDFRef, PDFObject>;
  /** Objects that are not among those that are found, only what they lead to. */
  readonly leftOut?: ReadonlySet<PDFRef>;
}

/** The objects that a document is made of: those that its root, and what tells of it, lead to. */
export function reachable(
  context: PDFContext,
  { more = [], replaced, leftOut }: Differences = {},
): Map<PDFRef, PDFObject> {
  const { Root, Info } = context.trailerInfo;
  const found = new Map<PDFRef, PDFObject>();
  const seen = new Set<PDFRef>();
  const open: (PDFObject | undefined)[] = [...more, Info, Root];
  while (open.length > 0) {
    const object = open.pop();
    if (object instanceof PDFRef) {
      const target = replaced?.get(object) ?? context.lookup(object);
      if (target === undefined || seen.has(object)) continue;
      seen.add(object);
      if (!leftOut?.has(object)) found.set(object, target);
      open.push(target);
    } else for (const inner of partsOf(object)) open.push(inner);
  }
  return found;
}

/** What stands in a value itself: elements, entries; nothing in a plain one. */
export function partsOf(object: PDFObject | undefined): readonly PDFObject[] {
  if (object instanceof PDFDict) return object.values();
  if (object instanceof PDFStream) return object.dict.values();
  return object instanceof PDFArray ? object.asArray() : [];
}

/** Forgets everything that is not reachable, such as what an object was before it was changed. */
export function dropUnreachable(context: PDFContext): void {
  const kept = reachable(context);
  for (const [ref] of context.enumerateIndirectObjects()) {
    if (!kept.has(ref)) context.delete(ref);
  }
}
