import { LatePlaces } from "./late-places.ts";
import { LostReferences } from "./lost-references.ts";

/** What is needed at the beginning of a document but is only known at its end. */
export interface LateFacts {
  readonly places: LatePlaces;
  readonly references: LostReferences;
}

/** All documents share the empty set: most of them do not need a set of their own. */
const NOTHING: ReadonlySet<number> = new Set();

/**
 * Renders a document again until a pass finds nothing new that it would have needed at the beginning. Nearly all
 * documents need one pass. Each pass knows more than the previous one, so the number of passes is finite.
 */
export function inPasses<T>(run: (late: LateFacts) => T): T {
  let filled = NOTHING;
  let lost = NOTHING;
  for (;;) {
    const places = new LatePlaces(filled);
    const references = new LostReferences(lost);
    const result = run({ places, references });
    const known = filled.size + lost.size;
    filled = places.found();
    lost = references.found();
    if (filled.size + lost.size === known) return result;
  }
}
