const NUMERALS: readonly (readonly [number, string])[] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];

/** Returns a positive integer in lowercase Roman numerals. Numbers above 3,999 begin with more than three `m`. */
export function roman(number: number): string {
  let text = "";
  let rest = number;
  for (const [value, letters] of NUMERALS) {
    text += letters.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}
