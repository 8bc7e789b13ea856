import Big from "big.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  absolute,
  add,
  average,
  compareDecimals,
  type Decimal,
  DecimalRangeError,
  DivisionByZeroError,
  decimalPlaces,
  decimalText,
  divide,
  isDecimal,
  MAX_DIGITS,
  max,
  min,
  multiply,
  negate,
  remainder,
  roundDecimal,
  subtract,
  sum,
  toDecimal,
} from "../../src/format/decimal.ts";

function decimal(value: unknown): Decimal {
  const read = toDecimal(value);
  if (read === null) throw new Error(`${String(value)} is not a number.`);
  return read;
}

function textOf(value: unknown): string | null {
  const read = toDecimal(value);
  return read === null ? null : decimalText(read);
}

/** A number as digits times a power of ten, the reference for the laws. */
interface Scaled {
  readonly digits: bigint;
  readonly places: number;
}

const scaled: fc.Arbitrary<Scaled> = fc.record({
  digits: fc.oneof(
    fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    fc.bigInt({ min: -100n, max: 100n }),
  ),
  places: fc.nat({ max: 30 }),
});

function spell({ digits, places }: Scaled): string {
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, "0");
  return `${sign}${text.slice(0, text.length - places)}.${text.slice(text.length - places)}`;
}

/** Returns the digits of a decimal that is written with this number of places. */
function digitsAt(value: Decimal, places: number): bigint {
  const [whole = "", fraction = ""] = decimalText(value).split(".");
  expect(fraction.length).toBeLessThanOrEqual(places);
  return BigInt(whole + fraction.padEnd(places, "0"));
}

function aligned(a: Scaled, b: Scaled): [bigint, bigint, number] {
  const places = Math.max(a.places, b.places);
  const at = ({ digits, places: own }: Scaled) => digits * 10n ** BigInt(places - own);
  return [at(a), at(b), places];
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

describe("toDecimal", () => {
  test.each([
    [0.1, "0.1"],
    [-0, "0"],
    [1e21, "1000000000000000000000"],
    [1.5e-7, "0.00000015"],
    [12n, "12"],
    ["12", "12"],
    ["+12.50", "12.5"],
    [" -0.5 ", "-0.5"],
    ["-0", "0"],
    ["-0.00", "0"],
    ["007", "7"],
    [".5", "0.5"],
    ["5.", "5"],
    ["1e3", "1000"],
    ["1.25E-2", "0.0125"],
    ["0e9999", "0"],
    ["123456789012345678901234567890.123456789", "123456789012345678901234567890.123456789"],
  ])("%s as %s", (value, text) => {
    expect(textOf(value)).toBe(text);
  });

  test.each([
    ["", " ", ".", "-", "+", "1,000", "1 000", "1.2.3", "0x10", "1e", "e5", "--1", "+-1", "1_000"],
    ["NaN", "Infinity", "１２", "−5", "1e99999", "1e400", "1e-400", "constructor", "12€"],
    [Number.NaN, Number.POSITIVE_INFINITY, 10n ** 400n, -(10n ** 400n)],
    [null, undefined, true, [], [1], {}, new Date(0), () => 1, Symbol("1"), Object(1)],
  ])("but not from other values: case %#", (...values) => {
    for (const value of values) expect(toDecimal(value)).toBeNull();
  });

  test("reads up to 400 digits, and rejects longer values without processing them", () => {
    expect(textOf("9".repeat(MAX_DIGITS))).toBe("9".repeat(MAX_DIGITS));
    expect(textOf(`-0.${"9".repeat(MAX_DIGITS - 1)}`)).toBe(`-0.${"9".repeat(MAX_DIGITS - 1)}`);
    expect(textOf(10n ** 400n - 1n)).toBe("9".repeat(MAX_DIGITS));
    expect(toDecimal("9".repeat(MAX_DIGITS + 1))).toBeNull();
    expect(toDecimal("9".repeat(10_000_000))).toBeNull();
    expect(toDecimal(`${" ".repeat(10_000_000)}1`)).toBeNull();
    expect(toDecimal("1e999999999")).toBeNull();
    expect(toDecimal("1e-999999999")).toBeNull();
  });

  test("keeps the shortest notation of every finite number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(textOf(value))).toBe(value === 0 ? 0 : value);
        expect(textOf(value)).not.toMatch(/e|^-0$/);
      }),
    );
  });

  test("reads a number of another Big constructor without its settings", () => {
    const Foreign = Big();
    Foreign.DP = 2;
    const value = toDecimal(new Foreign("1"));
    expect(value).not.toBeNull();
    expect(decimalText(divide(value as Decimal, decimal(3)))).toBe("0.33333333333333333333");
    Big.DP = 3;
    expect(decimalText(divide(decimal(1), decimal(3)))).toBe("0.33333333333333333333");
    Big.DP = 20;
  });

  test("returns values that isDecimal recognizes", () => {
    expect(isDecimal(decimal(1))).toBe(true);
    for (const value of [1, "1", 1n, null, { s: 1, e: 0, c: [1] }]) {
      expect(isDecimal(value)).toBe(false);
    }
  });
});

describe("arithmetic", () => {
  test.each([
    [add(decimal(0.1), decimal(0.2)), "0.3"],
    [subtract(decimal(0.3), decimal(0.1)), "0.2"],
    [multiply(decimal(1.1), decimal(1.1)), "1.21"],
    [multiply(decimal(19.99), decimal(3)), "59.97"],
    [divide(decimal(1), decimal(8)), "0.125"],
    [divide(decimal(2), decimal(3)), "0.66666666666666666667"],
    [divide(decimal(-2), decimal(3)), "-0.66666666666666666667"],
    [divide(decimal(1), decimal("3e30")), `0.${"0".repeat(30)}${"3".repeat(20)}`],
    [divide(decimal("1e30"), decimal(3)), `${"3".repeat(30)}.${"3".repeat(20)}`],
    [divide(decimal(0), decimal(-7)), "0"],
    [divide(decimal(0), decimal(1e9)), "0"],
    [remainder(decimal(7), decimal(3)), "1"],
    [remainder(decimal(-7), decimal(3)), "-1"],
    [remainder(decimal(7), decimal(-3)), "1"],
    [remainder(decimal(1), decimal(0.1)), "0"],
    [remainder(decimal(5.5), decimal(2)), "1.5"],
    [negate(decimal(5)), "-5"],
    [negate(decimal(0)), "0"],
    [absolute(decimal(-5.5)), "5.5"],
    [multiply(decimal(-1), decimal(0)), "0"],
  ])("is exact: case %#", (result, text) => {
    expect(decimalText(result)).toBe(text);
  });

  test("agrees with whole numbers: sums, differences, products, order", () => {
    fc.assert(
      fc.property(scaled, scaled, (a, b) => {
        const [x, y] = [decimal(spell(a)), decimal(spell(b))];
        const [m, n, places] = aligned(a, b);
        expect(digitsAt(add(x, y), places)).toBe(m + n);
        expect(digitsAt(subtract(x, y), places)).toBe(m - n);
        expect(digitsAt(multiply(x, y), a.places + b.places)).toBe(a.digits * b.digits);
        expect(compareDecimals(x, y)).toBe(m < n ? -1 : m > n ? 1 : 0);
        expect(digitsAt(negate(x), a.places)).toBe(-a.digits);
        expect(decimalPlaces(x)).toBeLessThanOrEqual(a.places);
      }),
    );
  });

  test("agrees with whole numbers: remainders, and quotients to half of the last place", () => {
    fc.assert(
      fc.property(scaled, scaled, (a, b) => {
        fc.pre(b.digits !== 0n);
        const [x, y] = [decimal(spell(a)), decimal(spell(b))];
        const [m, n, places] = aligned(a, b);
        expect(digitsAt(remainder(x, y), places)).toBe(m % n);
        const quotient = divide(x, y);
        // At least 20 places, or more if 20 significant digits need them.
        let least = 20;
        while (m !== 0n && abs(m) * 10n ** BigInt(least) < abs(n) * 10n ** 19n) least += 1;
        const shown = Math.max(decimalPlaces(quotient), least);
        // |q - m / n| ≤ 0.5 / 10^least, times 2 n 10^shown.
        const difference = digitsAt(quotient, shown) * n - m * 10n ** BigInt(shown);
        expect(2n * abs(difference) <= abs(n) * 10n ** BigInt(shown - least)).toBe(true);
        if (m % n === 0n) expect(difference).toBe(0n);
      }),
    );
  });

  test("agrees with whole numbers: rounding, half away from zero", () => {
    fc.assert(
      fc.property(scaled, fc.integer({ min: -5, max: 35 }), (a, places) => {
        const rounded = roundDecimal(decimal(spell(a)), places);
        const unit = 10n ** BigInt(Math.max(a.places - places, 0));
        const size = ((abs(a.digits) * 2n + unit) / (2n * unit)) * unit;
        expect(digitsAt(rounded, a.places)).toBe(a.digits < 0n ? -size : size);
      }),
    );
  });

  test.each([
    [2.5, 0, "3"],
    [-2.5, 0, "-3"],
    [1.005, 2, "1.01"],
    [0.4, 0, "0"],
    [-0.4, 0, "0"],
    [1250, -2, "1300"],
    [49, -2, "0"],
    [50, -2, "100"],
    [9.99, 1, "10"],
  ])("rounds %j to %j places: %j", (value, places, text) => {
    expect(decimalText(roundDecimal(decimal(value), places))).toBe(text);
  });

  test("rejects division by zero", () => {
    for (const zero of [0, -0, "0.00", "-0"]) {
      expect(() => divide(decimal(1), decimal(zero))).toThrow(DivisionByZeroError);
      expect(() => remainder(decimal(1), decimal(zero))).toThrow(DivisionByZeroError);
      expect(() => divide(decimal(0), decimal(zero))).toThrow(DivisionByZeroError);
    }
  });

  test("rejects results with more than 400 digits", () => {
    let power = decimal(9);
    expect(() => {
      for (let turn = 0; turn < 100; turn += 1) power = multiply(power, power);
    }).toThrow(DecimalRangeError);
    expect(decimalText(power).length).toBeLessThanOrEqual(MAX_DIGITS);
    const tiny = decimal("1e-390");
    expect(() => multiply(tiny, tiny)).toThrow(DecimalRangeError);
    expect(() => divide(decimal("1e390"), tiny)).toThrow(DecimalRangeError);
    expect(() => add(decimal("1e390"), tiny)).toThrow(DecimalRangeError);
    const most = decimal("9".repeat(MAX_DIGITS));
    expect(() => add(most, decimal(1))).toThrow(DecimalRangeError);
    expect(() => subtract(negate(most), decimal(1))).toThrow(DecimalRangeError);
    expect(() => roundDecimal(most, -1)).toThrow(DecimalRangeError);
    for (const places of [0.5, Number.NaN, 1e9, -1e9]) {
      expect(() => roundDecimal(decimal(1), places)).toThrow(DecimalRangeError);
    }
  });

  test("has error messages that can end a sentence, without values", () => {
    expect(new DivisionByZeroError().message).toBe("a number cannot be divided by zero");
    expect(new DecimalRangeError().message).toBe("a result has more than 400 digits");
  });
});

describe("aggregates", () => {
  const values = ["0.1", "0.2", "-7", "1e20", "3"].map(decimal);

  test("sum, average, minimum and maximum are exact", () => {
    expect(decimalText(sum(values))).toBe("99999999999999999996.3");
    expect(decimalText(average(values) as Decimal)).toBe("19999999999999999999.26");
    expect(decimalText(min(values) as Decimal)).toBe("-7");
    expect(decimalText(max(values) as Decimal)).toBe("100000000000000000000");
  });

  test("an empty list has the sum 0, and no average, minimum or maximum", () => {
    expect(decimalText(sum([]))).toBe("0");
    expect([average([]), min([]), max([])]).toEqual([null, null, null]);
  });

  test("the order of the numbers does not matter", () => {
    fc.assert(
      fc.property(fc.array(scaled, { minLength: 1, maxLength: 20 }), (list) => {
        const there = list.map((item) => decimal(spell(item)));
        const back = there.toReversed();
        for (const fold of [sum, average, min, max]) {
          expect(decimalText(fold(there) as Decimal)).toBe(decimalText(fold(back) as Decimal));
        }
      }),
    );
  });
});
