/** The number of digits of codes with a check digit. */
const DIGITS: Readonly<Record<string, number>> = { ean13: 13, ean8: 8, upca: 12, itf14: 14 };

/**
 * Whether a number is probably a code that has lost its first zero: with the zero, its last digit is the right check
 * digit. Without it, the code would get another check digit.
 */
export function hasLostZero(kind: string, value: unknown): boolean {
  const most = DIGITS[kind];
  if (typeof value !== "number" || most === undefined) return false;
  const digits = String(value);
  if (digits.length !== most - 1 || !/^\d+$/.test(digits)) return false;
  // From the right, digits count three times and once by turns.
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 3);
  }
  return sum % 10 === 0;
}
