import { functionNamed } from "../lists.ts";
import { type Correction, CURRENCIES, rewrite } from "../rewrites.ts";
import { PATH, TEXT } from "../written.ts";

/** Precedes the modifiers of a tag, or its end. */
const END = String.raw`(?=\s*(?:::|$))`;
const CALL = String.raw`${PATH}(?:\([^()]*\))?`;
/** A pattern of a date, with the letters of several languages. */
const PATTERN = "[dDMyYHhmsE]+(?:[-./ :,]+[dDMyYHhmsE]+)+";
/** Words for currencies. */
const MONEY: Readonly<Record<string, string>> = {
  ...{ euro: "EUR", dollar: "USD", pound: "GBP", franc: "CHF", yen: "JPY" },
};
export const COLORS = "red|green|blue|orange|gr[ae]y|yellow|white|black|purple";
const LOOKS = "bold|italics?|underlined?";

/** Forms and looks in words: `total in EUR`, `date as dd.MM.yyyy` and `total in bold`. */
export const FORMS: readonly Correction[] = [
  rewrite(
    String.raw`^(${CALL})\s+(?:as|in)\s+(${CURRENCIES}|(?:euro|dollar|pound|franc|yen)s?)${END}`,
    ([, value, word = ""]) =>
      `${value} :: currency("${MONEY[word.toLowerCase().replace(/s$/, "")] ?? word.toUpperCase()}")`,
    "i",
  ),
  rewrite(
    String.raw`^(${CALL})\s+(?:formatted\s+)?(?:as|in|with)\s+(?:the\s+)?(?:format\s+)?(${PATTERN})${END}`,
    ([, value, pattern = ""]) => `${value} :: format("${dated(pattern)}")`,
  ),
  rewrite(
    String.raw`^(${CALL})\s+(?:formatted\s+)?(?:as|in|with)\s+(?:the\s+)?(?:format\s+)?(${TEXT})${END}`,
    ([, value, pattern = ""]) => {
      const text = pattern.slice(1, -1);
      if (new RegExp(`^(?:${CURRENCIES})$`).test(text)) return `${value} :: currency("${text}")`;
      if (isPattern(text)) return `${value} :: format("${dated(text)}")`;
      return /^[#0,.%]+$/.test(text) ? `${value} :: number(${pattern})` : null;
    },
  ),
  rewrite(
    String.raw`^(${CALL})\s+(?:as|in)\s+(?:an?\s+)?(?:(short|medium|long)(?:\s+(?:date|format|form))?|date)${END}`,
    ([, value, style]) => `${value} :: format("${style || "short"}")`,
  ),
  rewrite(
    String.raw`^(${CALL})\s*,?\s+(?:(?:to|with|in)\s+)?(\d)\s+(?:decimals?|decimal\s+places|places|digits)${END}`,
    ([, value, places]) => `${value} :: number(${places})`,
  ),
  rewrite(
    String.raw`^(${CALL})\s+(?:in|as)\s+(?:(words)|(?:(upper|capital)|lower)[\s-]?(?:case|letters?)?|(capitals))(?:\s+letters)?${END}`,
    ([, value, words, upper, capitals]) => {
      if (words !== "") return `${value}.words()`;
      return `${value} :: ${upper === "" && capitals === "" ? "lowercase" : "uppercase"}`;
    },
    "i",
  ),
  rewrite(
    String.raw`^(upper|lower)[\s-]case\s+(${CALL})${END}`,
    ([, size = "", value]) => `${value} :: ${size.toLowerCase()}case`,
    "i",
  ),
  rewrite(
    String.raw`^(${CALL})\s+(?:(?:separated|joined|divided)\s+(?:by|with)|with)\s+(?:an?\s+)?(?:(${TEXT})|commas?|(semicolons?))(?:\s+between)?${END}`,
    ([, value, text, semicolon]) =>
      `${value} :: delimiter(${text || (semicolon === "" ? '", "' : '"; "')})`,
  ),
  rewrite(
    String.raw`^(?:(${CALL})(?:\s*,|\s+in|\s+as)?\s+(?:(${LOOKS})|(${COLORS}))|(${LOOKS})\s+(${CALL}))(?:\s*,?\s+(?:if|when)\s+([^:]+))?$`,
    ([, value, look, color, first, after, test = ""]) => {
      const modifier = color === "" ? lookOf(look || first) : `color("${color}")`;
      return `${value || after} :: ${modifier}${test === "" ? "" : `, when(${test})`}`;
    },
  ),
  rewrite(
    String.raw`^(?:qr[\s-]?code|(barcode))\s+(?:of|for|from|with)\s+(${CALL})${END}`,
    ([, barcode, value]) => `${value} :: ${barcode === "" ? "qrcode" : "barcode"}`,
    "i",
  ),
  rewrite(
    String.raw`^(${CALL})\s+(?:(?:width|(height))\s+)?(\d+(?:\.\d+)?)\s*(cm|mm|in|pt|px)(?:\s+(?:wide|(high|tall)))?$`,
    ([, value, height, size, unit, high]) =>
      `${value} :: ${height === "" && high === "" ? "width" : "height"}("${size}${unit}")`,
  ),
  rewrite(
    String.raw`^(?:(${CALL})\s+(optional|checkbox)|(optional|checkbox)\s+(${CALL}))$`,
    ([, value, modifier, before, after]) => `${value || after} :: ${modifier || before}`,
  ),
  // `total, currency "EUR"`, `total :: currency EUR` and `date : long`.
  rewrite(
    String.raw`^(${CALL})(?:\s*(?:,|::|\||;)\s*|\s+:\s+|\s+)(currency|number|format|locale)(?:\s*=\s*|:\s+|\s+)(${TEXT}|\d|[A-Z]{3}|[a-z]{2}-[A-Z]{2}|${PATTERN})$`,
    ([, value, name, given = ""]) => `${value} :: ${name}(${argument(given)})`,
  ),
  rewrite(
    String.raw`^(${CALL})\s+(currency|number|format|locale)\(\s*([A-Z]{3}|${TEXT}|\d|${PATTERN})\s*\)$`,
    ([, value, name, given = ""]) => `${value} :: ${name}(${argument(given)})`,
  ),
  rewrite(
    String.raw`^(${CALL})\s*[;(:]\s*(?:(${TEXT})|(${PATTERN}|short|medium|long))\s*\)?$`,
    ([, value = "", text = "", pattern = ""]) => {
      // `text.toDate(MM/dd/yyyy)` is a function.
      if (functionNamed(value.slice(value.lastIndexOf(".") + 1)) !== null) return null;
      const given = text === "" ? pattern : text.slice(1, -1);
      return isPattern(given) ? `${value} :: format("${dated(given)}")` : null;
    },
  ),
  rewrite(
    String.raw`(?<=::\s*)(?:number|format)\(\s*(\d)\s*(?:decimals?|places|digits)\s*\)`,
    ([, places]) => `number(${places})`,
  ),
  rewrite(
    String.raw`(?<=::\s*(?:.*,\s*)?)(?:(${COLORS})|(${LOOKS}))\s+(?:if|when)\s+([^:,()]+)$`,
    ([, color, look, test]) =>
      `${color === "" ? lookOf(look) : `color("${color}")`}, when(${test})`,
  ),
];

function isPattern(text: string): boolean {
  return new RegExp(`^(?:(?=.*[dDyY])(?:${PATTERN}|[dDMyY]+)|short|medium|long)$`).test(text);
}

/** Returns an argument of a modifier with its quotes. */
function argument(given: string): string {
  if (/^["'\d]/.test(given)) return given;
  return `"${isPattern(given) ? dated(given) : given}"`;
}

/** Returns a pattern of a date with the letters of this language: `DD.MM.YYYY` is `dd.MM.yyyy`. */
function dated(pattern: string): string {
  const small = pattern.replaceAll("D", "d").replaceAll("Y", "y");
  return /[Hh]/.test(small) ? small : small.replaceAll("m", "M");
}

function lookOf(word = ""): string {
  if (word.startsWith("italic")) return "italic";
  return word.startsWith("underline") ? "underline" : word;
}
