/** Numbers with more digits may lose precision in JavaScript. */
const KEPT_DIGITS = 15;

/**
 * Whether JavaScript changes a number in JSON when it parses it, for example an account number. Readers of data keep
 * such a number as a string of the same digits, which is printed as written.
 */
export function losesDigits(source: string): boolean {
  if (/e/i.test(source)) return false;
  const significant = source.replace(/^-?0*\.?0*/, "").replace(".", "");
  return significant.length > KEPT_DIGITS && String(Number(source)) !== source;
}
