import type { PooledTemplate } from "./pooled-template.ts";

/** Templates that processes did not survive compiling, however often they are opened anew. */
export interface PoisonousTemplates {
  /** Why it must not be retried yet, as far as it has been read; null when it may be. */
  failureOf(template: PooledTemplate): Error | null;
  /** It has ended a process, for this reason. */
  ended(template: PooledTemplate, failure: Error): void;
  /** It is not poisonous: a process has compiled it. */
  compiled(template: PooledTemplate): void;
}

/** After so many ends a template is not tried again for so long. */
const ENDS = 2;
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 1_000;

interface Remembered {
  readonly ends: number;
  readonly failure: Error;
  readonly until: number;
}

/**
 * Starts empty. The key of a template is its tenant and everything that was read of it, with included templates, when
 * it ended a process.
 */
export function poisonousTemplates(): PoisonousTemplates {
  const remembered = new Map<string, Remembered>();
  const find = (key: string): Remembered | null => {
    const found = remembered.get(key);
    if (found === undefined || found.until > performance.now()) return found ?? null;
    remembered.delete(key);
    return null;
  };
  return {
    failureOf(template) {
      const found = find(keyOf(template));
      return found !== null && found.ends >= ENDS ? found.failure : null;
    },
    compiled({ readKeys }) {
      for (const key of readKeys) remembered.delete(key);
    },
    ended(template, failure) {
      const key = keyOf(template);
      const ends = (find(key)?.ends ?? 0) + 1;
      remembered.delete(key);
      remembered.set(key, { ends, failure, until: performance.now() + REMEMBERED_MS });
      const [oldest] = remembered.keys();
      if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    },
  };
}

function keyOf({ contentKey, readKeys }: PooledTemplate): string {
  return readKeys.at(-1) ?? contentKey;
}
