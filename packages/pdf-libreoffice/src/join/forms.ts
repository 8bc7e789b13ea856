/**
 * Returns a number for a structural form: an element in its parent, a block of properties, or a field. Two different
 * forms have the same number with a probability of 1 in 2^52.
 */
export function formOf(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high >>> 12) * 0x1_0000_0000 + (low >>> 0);
}
