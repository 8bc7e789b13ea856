/** A cache of an issuer's recent responses about tokens, by the hash of the token. */
export interface RecentAnswers<T> {
  /** Null if the entry is missing or has expired. */
  get(hash: string): T | null;
  /** Keeps an entry until a time of the wall clock. Ignores times in the past. */
  keep(hash: string, answer: T, until: number): void;
}

/** Keeps at most `most` entries and evicts the least recently used one. */
export function recentAnswers<T>(most: number, now: () => number): RecentAnswers<T> {
  const answers = new Map<string, { readonly answer: T; readonly until: number }>();
  return {
    get: (hash) => {
      const kept = answers.get(hash);
      if (kept === undefined) return null;
      answers.delete(hash);
      if (kept.until <= now()) return null;
      answers.set(hash, kept);
      return kept.answer;
    },
    keep: (hash, answer, until) => {
      if (until <= now()) return;
      answers.delete(hash);
      answers.set(hash, { answer, until });
      const [oldest] = answers.keys();
      if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    },
  };
}
