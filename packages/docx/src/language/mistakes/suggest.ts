/**
 * Suggests a name. If the name looks the same as the written one but has different characters, such as `ö` as two
 * characters instead of one, the hint says so.
 */
export function didYouMean(meant: string, written: string): string {
  return meant !== written && meant.normalize() === written.normalize()
    ? `'${meant}' looks the same but has different characters: copy it from the data into the tag.`
    : `Did you mean '${meant}'?`;
}

/**
 * Whether two different words differ only in case and in spaces, hyphens and underscores, or also in two swapped
 * letters. Nobody uses such names for different things.
 */
export function isSlip(word: string, candidate: string): boolean {
  if (word.length !== candidate.length || word === candidate) return false;
  // `passport_no` and `passport no`.
  const [a, b] = [word, candidate].map((each) => each.toLowerCase().replaceAll(/[ _-]/g, "_")) as [
    string,
    string,
  ];
  if (a === b) return true;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const swapped = a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  return swapped && /^\p{L}{2}$/u.test(a.slice(at, at + 2));
}

/** Returns the only key that a word begins or ends with, such as `first` for `firstname`, or the other way round. */
export function contained(word: string, candidates: readonly string[]): string | null {
  const small = word.toLowerCase();
  const [only, ...others] = candidates.filter((each) => {
    const key = each.toLowerCase();
    const [short, long] = key.length < small.length ? [key, small] : [small, key];
    return short.length >= 4 && (long.startsWith(short) || long.endsWith(short));
  });
  return only === undefined || others.length > 0 ? null : only;
}
