import type { FairLine } from "../sharing/fair-line.ts";
import type { PoolChild } from "./pool-child.ts";
import type { PooledDocument } from "./pooled-document.ts";

/** A document whose turn it is, and the process that it goes to. */
export interface NextDocument {
  readonly child: PoolChild;
  readonly document: PooledDocument;
}

/**
 * Takes a document out of the line for the process with the least to do that can have one; null when there is none.
 * Behind documents of a template a process gets only those of the same: others would wait for them.
 */
export function takeNext(
  line: FairLine<PooledDocument>,
  children: Iterable<PoolChild>,
): NextDocument | null {
  if (line.length === 0) return null;
  const withRoom = [...children].filter((child) => child.hasRoom());
  const idle = withRoom.filter(({ sharer }) => sharer === null).length;
  for (const child of withRoom.sort((a, b) => a.load - b.load)) {
    const { sharer } = child;
    const document = sharer === null ? line.next(idle) : line.nextOf(sharer);
    if (document === undefined) continue;
    line.remove(document);
    return { child, document };
  }
  return null;
}
