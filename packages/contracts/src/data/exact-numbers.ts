/** Numbers with more digits may lose precision in JavaScript. */
const KEPT_DIGITS = 15;

/**
 * Whether parsing a JSON number in JavaScript would change its digits, for example those of an account number. False
 * for numbers with an exponent. Data readers keep such a number as a string, so that it is printed as written.
 */
export function losesDigits(source: string): boolean {
  if (/e/i.test(source)) return false;
  const significant = source.replace(/^-?0*\.?0*/, "").replace(".", "");
  return significant.length > KEPT_DIGITS && String(Number(source)) !== source;
}
