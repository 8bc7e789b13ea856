import type { FairLine } from "@quire/contracts";
import type { PoolChild } from "./pool-child.ts";
import type { PooledDocument } from "./pooled-document.ts";

/** The next document, and the process that gets it. */
export interface NextDocument {
  readonly child: PoolChild;
  readonly document: PooledDocument;
}

/** Returns an idle process that has compiled the document's template, or else `first`. */
function bestOf(
  children: readonly PoolChild[],
  first: PoolChild,
  { template }: PooledDocument,
): PoolChild {
  const isBetter = (child: PoolChild): boolean =>
    child.sharer === null && child.load === first.load && child.hasCompiled(template);
  return children.find(isBetter) ?? first;
}

/**
 * Takes the next document for the least busy process that can have one; null if no process can. An idle process that
 * has compiled its template comes first. A busy process gets only documents of its current template: others would have
 * to wait.
 */
export function takeNext(
  line: FairLine<PooledDocument>,
  children: Iterable<PoolChild>,
): NextDocument | null {
  if (line.length === 0) return null;
  // The newest processes come first: older ones have compiled templates of other tenants.
  const withRoom = [...children].reverse().filter((child) => child.hasRoom());
  const idle = withRoom.filter(({ sharer }) => sharer === null).length;
  for (const child of withRoom.sort((a, b) => a.load - b.load)) {
    const { sharer } = child;
    const document = sharer === null ? line.next(idle) : line.nextOf(sharer);
    if (document === undefined) continue;
    line.remove(document);
    return { child: sharer === null ? bestOf(withRoom, child, document) : child, document };
  }
  return null;
}
