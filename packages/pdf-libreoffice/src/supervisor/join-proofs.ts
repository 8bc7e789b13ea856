import { LRUCache } from "lru-cache";
import type { Lane } from "./lane.ts";

/** Number of groups to remember. The least recently used are evicted first. */
const MAX_GROUPS = 1_000;

/** Maximum number of forms to remember for a group. A lane proves further forms itself. */
const MAX_FORMS = 5_000;

/** The properties of a lane on which the layout depends. */
type Layout = Pick<Lane, "version" | "fonts">;

/**
 * Remembers which structural forms a lane has proven for a group: joined documents with them were the same as single
 * ones. Later lanes with the same release and fonts of LibreOffice lay out these forms in the same way, so they need
 * not prove them again. A lane still compares some documents of its first groups.
 */
export class JoinProofs {
  readonly #forms = new LRUCache<string, Set<number>>({ max: MAX_GROUPS });

  /** Returns the forms of a group that are proven for a lane; none for documents without a group. */
  of(group: string | null, lane: Layout): readonly number[] {
    const key = keyOf(group, lane);
    return key === null ? [] : [...(this.#forms.get(key) ?? [])];
  }

  /** Records the forms that a lane has proven for a group. */
  add(group: string | null, lane: Layout, forms: readonly number[]): void {
    const key = keyOf(group, lane);
    if (key === null || forms.length === 0) return;
    const known = this.#forms.get(key) ?? new Set();
    for (const form of forms) if (known.size < MAX_FORMS) known.add(form);
    this.#forms.set(key, known);
  }
}

/** Returns null without a group, and if the fonts are unknown, as with WebAssembly. */
function keyOf(group: string | null, { version, fonts }: Layout): string | null {
  return group === null || version === null || fonts === null
    ? null
    : `${version} ${fonts} ${group}`;
}
