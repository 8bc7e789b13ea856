import Big from "big.js";

/** A separate constructor, so that settings that other code changes on `Big` have no effect here, and vice versa. */
const Exact = Big();
Exact.strict = true;
/** The minimum number of decimals, and of significant digits, of a quotient. */
Exact.DP = 20;
Exact.RM = Exact.roundHalfUp;

/** An exact decimal number of at most {@link MAX_DIGITS} digits. */
export type Decimal = Big;

/**
 * Maximum number of digits of a number without an exponent. This is enough for every JavaScript number (5e-324 has 325
 * digits), and the slowest division takes about a millisecond.
 */
export const MAX_DIGITS = 400;

const ZERO: Decimal = new Exact("0");
const ONE: Decimal = new Exact("1");
const MAX_BIGINT = 10n ** BigInt(MAX_DIGITS);

/** A division, or a remainder, by zero. The message completes "… cannot be computed: …". */
export class DivisionByZeroError extends Error {
  constructor() {
    super("a number cannot be divided by zero");
  }
}

/**
 * A result of more than {@link MAX_DIGITS} digits. This prevents data from creating a number that fills the memory. The
 * message completes "… cannot be computed: …".
 */
export class DecimalRangeError extends Error {
  constructor() {
    super(`a result has more than ${MAX_DIGITS} digits`);
  }
}

/** Whether a value comes from {@link toDecimal} or from arithmetic with its result. */
export function isDecimal(value: unknown): value is Decimal {
  return value instanceof Exact;
}

/**
 * Returns the number that a value is or represents: a finite number (in its shortest notation, so 0.1 is 0.1), a
 * bigint, or a string such as `12`, `-0.5`, `+1.50` or `1e3`, with or without spaces around it. Null for everything
 * else: other strings, thousands separators, and more than {@link MAX_DIGITS} digits.
 */
export function toDecimal(value: unknown): Decimal | null {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? new Exact(String(value)) : null;
    case "bigint":
      return -MAX_BIGINT < value && value < MAX_BIGINT ? new Exact(value.toString()) : null;
    case "string":
      return readDecimal(value);
    default:
      if (!isDecimal(value)) return null;
      // A number from another `Big` constructor would have that constructor's settings.
      return value.constructor === Exact ? value : withinRange(new Exact(value));
  }
}

/** Matches a number. Numbers with more than four exponent digits would have too many digits anyway. */
const SPELLED = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;

function readDecimal(text: string): Decimal | null {
  // Leaves room for a sign, a point and an exponent. A longer string is not examined.
  if (text.length > MAX_DIGITS + 10) return null;
  const spelled = text.trim();
  if (!SPELLED.test(spelled)) return null;
  return withinRange(new Exact(spelled.startsWith("+") ? spelled.slice(1) : spelled));
}

function withinRange(value: Decimal): Decimal | null {
  return Math.max(value.e + 1, 1) + decimalPlaces(value) > MAX_DIGITS ? null : value;
}

function bounded(result: Decimal): Decimal {
  const value = withinRange(result);
  if (value === null) throw new DecimalRangeError();
  return value;
}

/** Returns the number of decimals without trailing zeros: 1 for 12.50. */
export function decimalPlaces(value: Decimal): number {
  return Math.max(value.c.length - 1 - value.e, 0);
}

/** Returns the exact sum. Throws {@link DecimalRangeError}. */
export function add(a: Decimal, b: Decimal): Decimal {
  return bounded(a.plus(b));
}

/** Returns the exact difference. Throws {@link DecimalRangeError}. */
export function subtract(a: Decimal, b: Decimal): Decimal {
  return bounded(a.minus(b));
}

/** Returns the exact product. Throws {@link DecimalRangeError}. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return bounded(a.times(b));
}

/**
 * Returns the quotient. It is exact if it ends within 20 decimals or 20 significant digits. Otherwise it is rounded
 * half away from zero to 20 decimals or 20 significant digits, whichever keeps more digits: 1 / 3 is
 * 0.33333333333333333333. Throws {@link DivisionByZeroError} and {@link DecimalRangeError}.
 */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (isZero(b)) throw new DivisionByZeroError();
  // The first digit of the quotient is at this decimal place or at the next one.
  const shift = Math.max(b.e - a.e, 0);
  if (shift === 0 || isZero(a)) return bounded(a.div(b));
  return bounded(shifted(shifted(a, shift).div(b), -shift));
}

/** Returns the value with its decimal point moved to the right. */
function shifted(value: Decimal, places: number): Decimal {
  const copy = new Exact(value);
  copy.e += places;
  return copy;
}

/**
 * Returns the remainder of dividing `a` by `b`. It has the sign of `a`: -7 % 3 is -1. Throws
 * {@link DivisionByZeroError} and {@link DecimalRangeError}.
 */
export function remainder(a: Decimal, b: Decimal): Decimal {
  if (isZero(b)) throw new DivisionByZeroError();
  return bounded(a.mod(b));
}

/** Number of significant digits of a power. */
const POWER_DIGITS = 60;

/**
 * Returns a power. It is exact if it has at most 60 digits; otherwise, 60 significant digits are kept. `exponent`: a
 * whole number. Throws {@link DivisionByZeroError} and {@link DecimalRangeError}.
 */
export function power(base: Decimal, exponent: number): Decimal {
  let result = ONE;
  let factor = base;
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result.times(factor).prec(POWER_DIGITS);
    factor = factor.times(factor).prec(POWER_DIGITS);
  }
  return exponent < 0 ? divide(ONE, bounded(result)) : bounded(result);
}

/** Returns the number with the opposite sign. */
export function negate(a: Decimal): Decimal {
  return a.neg();
}

/** Returns the number without its sign. */
export function absolute(a: Decimal): Decimal {
  return a.abs();
}

/** Whether a number is zero. There is no -0. */
export function isZero(a: Decimal): boolean {
  return a.c[0] === 0;
}

/** Returns the number in plain notation: no exponent, no `+`, no needless zeros, never `-0`. */
export function decimalText(value: Decimal): string {
  return value.toFixed();
}

/** Returns a negative number if `a` is smaller, a positive number if `a` is greater, and 0 if they are equal. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  return a.cmp(b);
}

/** The mode of big.js for positive numbers, and for negative ones. */
const MODES = {
  up: [Exact.roundUp, Exact.roundUp],
  down: [Exact.roundDown, Exact.roundDown],
  floor: [Exact.roundDown, Exact.roundUp],
  ceiling: [Exact.roundUp, Exact.roundDown],
  "half-even": [Exact.roundHalfEven, Exact.roundHalfEven],
} as const;

/**
 * How a number is rounded: `up` away from zero, `down` towards zero, `floor` to the smaller and `ceiling` to the greater
 * number, `half-even` a half to the even digit.
 */
export type Rounding = keyof typeof MODES;

export const ROUNDINGS = Object.keys(MODES) as readonly Rounding[];

export function isRounding(text: string): text is Rounding {
  return Object.hasOwn(MODES, text);
}

/**
 * Rounds a number, by default half away from zero: 2.5 to 3, -2.5 to -3. Negative places round before the point: 1250
 * to -2 places is 1300. Throws {@link DecimalRangeError} for places that are not an integer between -{@link MAX_DIGITS} and
 * {@link MAX_DIGITS}.
 */
export function roundDecimal(value: Decimal, places: number, rounding?: Rounding): Decimal {
  if (!Number.isInteger(places) || Math.abs(places) > MAX_DIGITS) throw new DecimalRangeError();
  const mode = rounding === undefined ? Exact.roundHalfUp : MODES[rounding][value.s < 0 ? 1 : 0];
  return bounded(value.round(places, mode));
}

/** Returns the exact sum; 0 for an empty list. Throws {@link DecimalRangeError}. */
export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(add, ZERO);
}

/** Returns the sum divided by the count, rounded as in {@link divide}; null for an empty list. */
export function average(values: readonly Decimal[]): Decimal | null {
  return values.length === 0 ? null : divide(sum(values), new Exact(String(values.length)));
}

/** Returns the smallest number; null for an empty list. */
export function min(values: readonly Decimal[]): Decimal | null {
  return first(values, (a, b) => a.lt(b));
}

/** Returns the largest number; null for an empty list. */
export function max(values: readonly Decimal[]): Decimal | null {
  return first(values, (a, b) => a.gt(b));
}

function first(
  values: readonly Decimal[],
  isBefore: (a: Decimal, b: Decimal) => boolean,
): Decimal | null {
  let found: Decimal | null = null;
  for (const value of values) {
    if (found === null || isBefore(value, found)) found = value;
  }
  return found;
}
