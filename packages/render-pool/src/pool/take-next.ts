import { type FairLine, preemptedError } from "@quire/contracts";
import type { PoolChild } from "./pool-child.ts";
import type { PooledDocument } from "./pooled-document.ts";

/** The next document, and the process that gets it. */
export interface NextDocument {
  readonly child: PoolChild;
  readonly document: PooledDocument;
}

/** Returns an idle process that has compiled the document's template; if there is none, returns `first`. */
function bestOf(
  children: readonly PoolChild[],
  first: PoolChild,
  { template }: PooledDocument,
): PoolChild {
  const isBetter = (child: PoolChild): boolean =>
    child.sharer === null && child.load === first.load && child.hasCompiled(template);
  return children.find(isBetter) ?? first;
}

/** Returns whether a document may begin. Otherwise, rejects the document. */
function begins({ options, reject }: PooledDocument): boolean {
  if (options.mayBegin?.() !== false) return true;
  reject(preemptedError(0));
  return false;
}

/**
 * Takes the next document for the least busy process that can accept one. Returns null if no process can accept one.
 * Prefers an idle process that has compiled the document's template. A busy process gets only documents of its current
 * template, because other documents would have to wait.
 */
export function takeNext(
  line: FairLine<PooledDocument>,
  children: Iterable<PoolChild>,
): NextDocument | null {
  // The newest processes come first, because older ones have compiled templates of other tenants.
  const withRoom = [...children].reverse().filter((child) => child.hasRoom());
  const idle = withRoom.filter(({ sharer }) => sharer === null).length;
  withRoom.sort((a, b) => a.load - b.load);
  while (line.length > 0) {
    const next = firstOf(line, withRoom, idle);
    if (next === null) return null;
    line.remove(next.document);
    if (begins(next.document)) return next;
  }
  return null;
}

/** Returns the first process that can accept a document, and that document. */
function firstOf(
  line: FairLine<PooledDocument>,
  withRoom: readonly PoolChild[],
  idle: number,
): NextDocument | null {
  for (const child of withRoom) {
    const { sharer } = child;
    const document = sharer === null ? line.next(idle) : line.nextOf(sharer);
    if (document === undefined) continue;
    return { child: sharer === null ? bestOf(withRoom, child, document) : child, document };
  }
  return null;
}
