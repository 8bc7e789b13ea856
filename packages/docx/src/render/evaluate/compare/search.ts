/** V8 searches for parts up to this length in linear time, and for some longer ones in quadratic time. */
export const SHORT_PART = 250;

/** Whether a string contains a part. Takes time linear in the sum of their lengths. */
export function containsText(text: string, part: string): boolean {
  if (part.length <= SHORT_PART) return text.includes(part);
  // The Knuth-Morris-Pratt algorithm. For each prefix of the part, `borders` has the length of its longest proper
  // prefix that is also a suffix.
  const borders = new Uint32Array(part.length);
  let matched = 0;
  for (let at = 1; at < part.length; at++) {
    matched = goOn(part, borders, matched, part.charCodeAt(at));
    borders[at] = matched;
  }
  matched = 0;
  for (let at = 0; at < text.length; at++) {
    matched = goOn(part, borders, matched, text.charCodeAt(at));
    if (matched === part.length) return true;
  }
  return false;
}

/** Returns the length of the prefix of the part that matches after one more character. */
function goOn(part: string, borders: Uint32Array, before: number, character: number): number {
  let matched = before;
  while (matched > 0 && part.charCodeAt(matched) !== character) matched = borders[matched - 1] ?? 0;
  return part.charCodeAt(matched) === character ? matched + 1 : 0;
}
