import type { PooledTemplate } from "./pooled-template.ts";

/** Templates that processes did not survive compiling, however often they are opened anew. */
export interface PoisonousTemplates {
  /** Why it is not tried again for now; null when it may be. */
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

/** No template is poisonous yet. They are known by what is in them. */
export function poisonousTemplates(): PoisonousTemplates {
  const remembered = new Map<string, Remembered>();
  const find = (key: string): Remembered | null => {
    const found = remembered.get(key);
    if (found === undefined || found.until > performance.now()) return found ?? null;
    remembered.delete(key);
    return null;
  };
  return {
    failureOf({ contentKey }) {
      const found = find(contentKey);
      return found !== null && found.ends >= ENDS ? found.failure : null;
    },
    compiled({ contentKey }) {
      remembered.delete(contentKey);
    },
    ended({ contentKey }, failure) {
      const ends = (find(contentKey)?.ends ?? 0) + 1;
      remembered.delete(contentKey);
      remembered.set(contentKey, { ends, failure, until: performance.now() + REMEMBERED_MS });
      const [oldest] = remembered.keys();
      if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    },
  };
}
