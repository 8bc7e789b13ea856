import { LRUCache } from "lru-cache";
import type { PooledTemplate } from "./pooled-template.ts";

/** Templates that crash processes when they are compiled, even if they are opened again. */
export interface PoisonousTemplates {
  /**
   * Returns the error of a template that must not be tried again yet, based on the files that have been read;
   * null if it may be tried.
   */
  failureOf(template: PooledTemplate): Error | null;
  /** Records that the template has ended a process. `failure` is the error to report. */
  ended(template: PooledTemplate, failure: Error): void;
  /** Records that a process has compiled the template, which is therefore not poisonous. */
  compiled(template: PooledTemplate): void;
}

/** Number of crashes after which a template is not tried again for `REMEMBERED_MS`. */
const ENDS = 2;
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 1_000;

interface Remembered {
  readonly ends: number;
  readonly failure: Error;
}

/**
 * Creates an empty record. The key of a template covers its tenant and all files that had been read for it when it
 * ended a process, including included templates.
 */
export function poisonousTemplates(): PoisonousTemplates {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  return {
    failureOf(template) {
      const found = remembered.get(keyOf(template));
      return found !== undefined && found.ends >= ENDS ? found.failure : null;
    },
    compiled({ readKeys }) {
      for (const key of readKeys) remembered.delete(key);
    },
    ended(template, failure) {
      const key = keyOf(template);
      const ends = (remembered.get(key)?.ends ?? 0) + 1;
      remembered.set(key, { ends, failure });
    },
  };
}

function keyOf({ contentKey, readKeys }: PooledTemplate): string {
  return readKeys.at(-1) ?? contentKey;
}
