/**
 * The candidate that is most similar to a word, if at most a third of the letters differ, or one of two letters.
 * Otherwise a candidate that begins with the word, or null. There are no suggestions for single letters.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  const same = candidates.find((each) => each.normalize() === word.normalize());
  if (same !== undefined) return same;
  let best: string | null = null;
  let bestDistance = word.length < 2 ? 1 : Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? begunBy(word, candidates);
}

/**
 * Suggests a name. If it looks the same as the written name but has other characters, such as `ö` as two characters
 * instead of one, the suggestion says so.
 */
export function didYouMean(meant: string, written: string): string {
  return meant !== written && meant.normalize() === written.normalize()
    ? `'${meant}' looks the same but has different characters: copy it from the data into the tag.`
    : `Did you mean '${meant}'?`;
}

/**
 * Maximum length of the words to compare, because the time grows with the square of the length. Nobody types longer
 * names.
 */
const LONGEST = 100;

/**
 * Whether two different words differ only in case, or in case and two swapped adjacent letters. Nobody uses such names
 * for different things.
 */
export function isSlip(word: string, candidate: string): boolean {
  if (word.length !== candidate.length || word === candidate) return false;
  const a = word.toLowerCase();
  const b = candidate.toLowerCase();
  if (a === b) return true;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const swapped = a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  return swapped && /^\p{L}{2}$/u.test(a.slice(at, at + 2));
}

/** The candidate that begins with a word, such as 'uppercase' for 'upper'. */
function begunBy(word: string, candidates: readonly string[]): string | null {
  if (word.length < 3) return null;
  const start = word.toLowerCase();
  for (const candidate of candidates) {
    if (candidate.toLowerCase().startsWith(start)) return candidate;
  }
  return null;
}

/** The minimum number of edits that turn `a` into `b`: letters inserted, deleted, changed, or swapped with the next. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
