/** Of more digits some are lost in a JavaScript number. */
const KEPT_DIGITS = 15;

/**
 * Whether a number of a JSON text, as it is written, is another one when JavaScript has parsed it: an account number,
 * say. Who reads data keeps it as a text of the same digits then, which prints as it was written.
 */
export function losesDigits(source: string): boolean {
  if (/e/i.test(source)) return false;
  const significant = source.replace(/^-?0*\.?0*/, "").replace(".", "");
  return significant.length > KEPT_DIGITS && String(Number(source)) !== source;
}
