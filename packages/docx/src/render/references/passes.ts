import { LatePlaces } from "./late-places.ts";
import { LateReferences, NOTHING_KNOWN } from "./late-references.ts";

/** What is needed at the beginning of a document but is only known at its end. */
export interface LateFacts {
  readonly places: LatePlaces;
  readonly references: LateReferences;
}

/** All documents share the empty set: most of them do not need a set of their own. */
const NOTHING: ReadonlySet<number> = new Set();

/**
 * Renders a document again until a pass finds nothing new that it would have needed at the beginning. Nearly all
 * documents need one pass. The sets of filled places and lost references only grow, and the names of bookmarks depend on
 * nothing else, so the number of passes is finite.
 */
export function inPasses<T>(run: (late: LateFacts) => T): T {
  let filled = NOTHING;
  let known = NOTHING_KNOWN;
  for (;;) {
    const places = new LatePlaces(filled);
    const references = new LateReferences(known);
    const result = run({ places, references });
    const before = { filled, known };
    filled = places.found();
    known = references.found();
    if (filled.size === before.filled.size && known === before.known) return result;
  }
}
