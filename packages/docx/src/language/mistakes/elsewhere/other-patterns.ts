import { TEXT, Written } from "../written.ts";

/** The directives of `strftime`, with the equivalent fields of a date pattern. */
const STRFTIME: Readonly<Record<string, string>> = {
  ...{ d: "dd", e: "d", m: "MM", Y: "yyyy", y: "yy", B: "MMMM", b: "MMM", h: "MMM" },
  ...{ A: "EEEE", a: "EEE", H: "HH", I: "hh", p: "a", M: "mm", S: "ss" },
  ...{ F: "yyyy-MM-dd", T: "HH:mm:ss", R: "HH:mm", D: "MM/dd/yy" },
};

/** Returns a pattern of `strftime`, such as `%d.%m.%Y`, as a date pattern; null if it is not one. */
export function strftimeMeant(pattern: string): string | null {
  if (!/%[-#]?[A-Za-z]/.test(pattern)) return null;
  let isKnown = true;
  const parts = pattern.split(/(%[-#]?[A-Za-z])/);
  const meant = parts.map((part) => {
    const [, short = "", letter = ""] = /^%([-#]?)([A-Za-z])$/.exec(part) ?? [];
    if (letter === "") return part.replace(/[A-Za-z]+/g, "'$&'");
    const field = STRFTIME[letter];
    isKnown &&= field !== undefined;
    return short === "" ? field : field?.replace(/^(dd|MM|HH|hh)$/, (each) => each.charAt(0));
  });
  return isKnown ? meant.join("") : null;
}

/** Returns the number of decimals of a format such as `%.2f`; null for other formats. */
export function decimalsMeant(pattern: string): number | null {
  const [, decimals] = /^%[,']?0?(?:\.(\d))?f$/.exec(pattern) ?? [];
  return /^%[,']?0?(?:\.\d)?f$/.test(pattern) ? Number(decimals ?? 6) : null;
}

/** Whether a pattern certainly formats a number. */
export function isNumberPattern(pattern: string): boolean {
  return /^(?:#,##)?[0#]*0(?:\.[0#]+)?$/.test(pattern);
}

/** The letters of PHP's `date`. */
const PHP: Readonly<Record<string, string>> = {
  ...{ d: "dd", j: "d", D: "EEE", l: "EEEE", m: "MM", n: "M", M: "MMM", F: "MMMM" },
  ...{ Y: "yyyy", y: "yy", H: "HH", G: "H", h: "hh", g: "h", i: "mm", s: "ss", A: "a", a: "a" },
};

/** Returns a pattern of single letters, such as `d/m/Y`; null for others. */
export function phpMeant(pattern: string): string | null {
  if (/[A-Za-z]{2}/.test(pattern) || !/[Yy]|[His]/.test(pattern)) return null;
  const letters = pattern.match(/[A-Za-z]/g) ?? [];
  if (letters.length < 2 || letters.some((letter) => PHP[letter] === undefined)) return null;
  return pattern.replace(/[A-Za-z]/g, (letter) => PHP[letter] ?? letter);
}

/** Returns a tag with formats of other languages as this language writes them. */
export function withOwnPatterns(tag: string): string {
  const meant = new Written(tag).replace(
    String.raw`(?<=(?:::.*,|::)\s*)(?:format|number)\(\s*(${TEXT})\s*\)`,
    ([, text = ""]) => {
      const pattern = text.slice(1, -1);
      const decimals = decimalsMeant(pattern);
      if (decimals !== null) return `number(${decimals})`;
      if (isNumberPattern(pattern)) return `number(${text})`;
      const date = strftimeMeant(pattern) ?? (/[YFjniG]/.test(pattern) ? phpMeant(pattern) : null);
      return date === null ? null : `format("${date}")`;
    },
  );
  return meant ?? tag;
}
