/**
 * Returns the candidate that is most similar to a word, if at most a third of the word's letters differ (or one letter
 * of a two-letter word). Otherwise returns a candidate that begins with the word, or null. There are no suggestions for
 * single letters.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > LONGEST) return null;
  const same = candidates.find((each) => each.normalize() === word.normalize());
  const alike = same ?? candidates.find((each) => isSpelledAlike(word, each));
  if (alike !== undefined) return alike;
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
 * Maximum length of the words to compare, because the time grows with the square of the length. Nobody types longer
 * names.
 */
const LONGEST = 100;

/** Letters outside ASCII, and how they are written with other letters. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ä: "ae", ö: "oe", ü: "ue", ß: "ss", æ: "ae", ø: "oe", å: "aa", œ: "oe", ł: "l" },
};

/** Whether two words differ only in letters that one of them writes without accents: `Groesse`, `Grosse` and `Größe`. */
function isSpelledAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => each.normalize().toLowerCase()) as [string, string];
  if (!/[^\0-\x7f]/.test(a + b)) return false;
  return replaced(a) === replaced(b) || unaccented(a) === unaccented(b);
}

function replaced(word: string): string {
  return unaccented(word.replace(/[^\0-\x7f]/gu, (letter) => LETTERS[letter] ?? letter));
}

function unaccented(word: string): string {
  return word.replaceAll("ß", "ss").normalize("NFD").replace(/\p{M}/gu, "");
}

/** Returns a candidate that begins with the word, such as `uppercase` for `upper`. */
function begunBy(word: string, candidates: readonly string[]): string | null {
  if (word.length < 3) return null;
  const start = word.toLowerCase();
  for (const candidate of candidates) {
    if (candidate.toLowerCase().startsWith(start)) return candidate;
  }
  return null;
}

/** Returns the minimum number of edits that turn `a` into `b`. An edit inserts, deletes, changes or swaps letters. */
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
