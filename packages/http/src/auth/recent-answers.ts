/** What an issuer said of tokens lately, by the hash of the token. */
export interface RecentAnswers<T> {
  /** Null when nothing is remembered, or not for that long. */
  get(hash: string): T | null;
  /** Remembers until a time of the wall clock; a time that has passed is not remembered. */
  keep(hash: string, answer: T, until: number): void;
}

/** Remembers at most `most` answers; the one that was not asked for the longest time goes first. */
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
