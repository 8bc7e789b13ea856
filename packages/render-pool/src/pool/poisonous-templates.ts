import type { PooledTemplate } from "./pooled-template.ts";

/** Templates that crash processes when they are compiled, even if they are opened again. */
export interface PoisonousTemplates {
  /** Why a template must not be retried yet, judged by the files read until now; null if it may be retried. */
  failureOf(template: PooledTemplate): Error | null;
  /** Records that the template has ended a process, for this reason. */
  ended(template: PooledTemplate, failure: Error): void;
  /** Records that a process has compiled the template, so it is not poisonous. */
  compiled(template: PooledTemplate): void;
}

/** After this number of crashes, a template is not tried again for `REMEMBERED_MS`. */
const ENDS = 2;
const REMEMBERED_MS = 600_000;
const MAX_REMEMBERED = 1_000;

interface Remembered {
  readonly ends: number;
  readonly failure: Error;
  readonly until: number;
}

/**
 * Starts empty. The key of a template covers its tenant and all files that had been read for it when it ended a
 * process, including included templates.
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
