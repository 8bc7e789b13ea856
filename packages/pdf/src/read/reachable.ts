import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFObject,
  PDFRef,
  PDFStream,
} from "./pdf-lib.ts";

/** Differences between a document and its context. */
export interface Differences {
  /** Objects that are needed although no other object refers to them. */
  readonly more?: readonly PDFRef[];
  /** Objects that replace the context's objects. */
  readonly replaced?: ReadonlyMap<PDFRef, PDFObject>;
  /** Objects to leave out of the result. The objects that they refer to are still included. */
  readonly leftOut?: ReadonlySet<PDFRef>;
}

/** Returns the objects of a document: all objects that its catalog and its information dictionary refer to. */
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

/** Returns the direct parts of a value: elements or entry values; empty for a scalar. */
export function partsOf(object: PDFObject | undefined): readonly PDFObject[] {
  if (object instanceof PDFDict) return object.values();
  if (object instanceof PDFStream) return object.dict.values();
  return object instanceof PDFArray ? object.asArray() : [];
}

/** Deletes all unreachable objects, such as old versions of changed objects. */
export function dropUnreachable(context: PDFContext): void {
  const kept = reachable(context);
  for (const [ref] of context.enumerateIndirectObjects()) {
    if (!kept.has(ref)) context.delete(ref);
  }
}
