import { type Wording, withTags } from "../delimiters/wording.ts";
import { isModifier } from "../grammar/modifier-signatures.ts";
import { rewriteCall } from "./read-calls.ts";
import { type Correction, lengthOf, rewrite } from "./rewrites.ts";
import { NAME, PATH, TEXT, Written } from "./written.ts";

const MODIFIER = String.raw`${NAME}(?:\([^()]*\))?`;

/** Slips in computations and comparisons: numbers with separators or `%`, and `$if` without its last value. */
export const SLIPS: readonly Correction[] = [
  // `delivery - "3 days"`.
  rewrite(String.raw`(${PATH})\s*([-+])\s*(${TEXT})`, ([, date, sign, text = ""]) => {
    const [, count, unit = ""] =
      /^.\s*(\d{1,4})\s*(day|week|month|year|workday)s?\s*.$/i.exec(text) ?? [];
    if (count === undefined) return null;
    const name = `${unit.charAt(0).toUpperCase()}${unit.slice(1).toLowerCase()}s`;
    return `${date}.add${name}(${sign === "-" ? "-" : ""}${count})`;
  }),
  // `items.sum(amount :: currency("EUR"))`.
  rewrite(
    String.raw`^(.*(?:\.(?:sum|average|min|max)|\$running)\([^():]*?)\s*::\s*((?!default|optional)${NAME}(?:\([^()]*\))?)\s*\)$`,
    ([, call, modifier]) => `${call}) :: ${modifier}`,
  ),
  // `names.join(", ") and`.
  rewrite(
    String.raw`^(.*\.join\(\s*${TEXT})\s*\)\s+(and|or)$`,
    ([, call, word]) => `${call}, " ${word} ")`,
  ),
  // `names.join(", ").last(" and ")`.
  rewrite(
    String.raw`^(.*\.join\(\s*${TEXT})\s*\)\.(?:last|lastSeparator|final)\(\s*(${TEXT})\s*\)`,
    ([, call, last = ""]) => `${call}, ${last.replace(/^(["'])(\p{L}+)\1$/u, "$1 $2 $1")})`,
  ),
  // `deliveries.first(weight desc)`.
  rewrite(
    String.raw`\.(first|last)\(\s*([^()]+?\s(?:asc|desc))\s*\)`,
    ([, name, keys]) => `.sort(${keys}).${name}()`,
  ),
  // `name :: truncate(10).uppercase`.
  rewrite(
    String.raw`(?<=::\s*(?:${MODIFIER}\s*,\s*)*${MODIFIER})\.(${NAME})(?:\(\s*\))?`,
    ([, name = ""]) => (isModifier(name) ? `, ${name}` : null),
  ),
  // `date :: format(d MMMM yyyy)`.
  rewrite(
    String.raw`(?<=(?:::.*,|::)\s*)format\(\s*([dMyHhmsEQ]+(?:[ ./:,-]+[dMyHhmsEQ]+)+)\s*\)`,
    ([, pattern]) => `format("${pattern}")`,
  ),
  // `date :: long`.
  rewrite(
    String.raw`(?<=(?:::.*,|::)\s*)(short|medium|long)(?=\s*(?:,|$))`,
    ([, preset]) => `format("${preset}")`,
  ),
  // `where(total > 1,000)` and `where(rate == 20%)`.
  rewrite(
    String.raw`(?<=\.(?:where|count|first|last)\([^()]*[<>=]\s*)(\d{1,3}(?:,\d{3})+(?:\.\d+)?)(?![\d,.])`,
    ([, number = ""]) => number.replaceAll(",", ""),
  ),
  rewrite(
    String.raw`(?<=\.(?:where|count|first|last)\([^()]*[<>=]\s*)(\d+),(\d{1,2})(?=\s*\))`,
    ([, whole, decimals]) => `${whole}.${decimals}`,
  ),
  rewrite(
    String.raw`(?<=\([^()]*[<>=]\s*)(\d+(?:\.\d+)?)\s*%(?=\s*(?:\)|and\b|or\b))`,
    ([, number]) => `(${number} / 100)`,
  ),
  // `price * 8.1% :: number(2)`.
  rewrite(
    String.raw`(?<=^|[*/(,]\s*)(\d+(?:\.\d+)?)\s*%(?=\s*(?:::|[*/+),-]|$))`,
    ([, number]) => `(${number} / 100)`,
  ),
  // `items.sum($if(paid, total))` and `net + $if(paid, total)`.
  rewriteCall(({ name, isMethod, given: [argument = "", more] }) => {
    if (!isMethod || more !== undefined || !/^(?:sum|average|min|max)$/.test(name)) return null;
    const [, inside] = /^\$?if\((.*)\)$/i.exec(argument) ?? [];
    const [condition, value, other] = inside === undefined ? [] : new Written(inside).split("[,;]");
    return value === undefined || other !== undefined
      ? null
      : `where(${condition}).${name}(${value})`;
  }),
  rewriteCall(({ name, isMethod, given: [condition, value, other], from, to }, { text }) => {
    if (!/^if$/i.test(name) || isMethod || value === undefined || other !== undefined) return null;
    const isOperand =
      /(?:[-+*/]|\$running\()\s*$/.test(text.slice(0, from)) || /^\s*[-+*/]/.test(text.slice(to));
    return isOperand && !/^["']/.test(value) ? `$if(${condition}, ${value}, 0)` : null;
  }),
];

/** Whether a tag has a number with separators in a condition. */
function hasSeparators(tag: Written): boolean {
  return tag.match(String.raw`\.(?:where|count|first|last)\([^()]*[<>=]\s*\d+,\d`) !== null;
}

const ELEMENT = "cell|row|paragraph|shape";
/** A value after an element, in the place of a modifier. A name without a dot may be a misspelled modifier. */
const VALUE_OF = String.raw`^(${ELEMENT})\s*::\s*(${NAME}\.${PATH})\s*,\s*(.+)$`;

/** Arguments and values that a modifier for the look, for a code or for a box does not take. */
export const ELEMENTS: readonly Correction[] = [
  // `cell :: i.price, bold` and `row :: i.paid, fill("red")`.
  (tag) => {
    const [, element = "", value = "", looks = ""] = tag.match(VALUE_OF) ?? [];
    if (element === "") return null;
    const hasCondition = /(?:^|,\s*)when\(/.test(looks);
    if (element === "row" || element === "shape")
      return hasCondition ? null : `${element} :: ${looks}, when(${value})`;
    return `${value} :: ${looks}`;
  },
  // Boxes.
  rewrite(String.raw`^(${PATH})\s*::\s*checkbox\(\s*(${TEXT})\s*\)$`, ([, value, text = ""]) =>
    [...text].length > 3 ? `(${value} == ${text}) :: checkbox` : `$if(${value}, ${text}, "")`,
  ),
  rewrite(
    String.raw`^(${PATH})\s*::\s*checkbox\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)$`,
    ([, value, checked, other]) => `$if(${value}, ${checked}, ${other})`,
  ),
  // Codes.
  // The number of a kind of barcode.
  rewrite(
    String.raw`(?<=::.*)barcode\(\s*(128|39|13|8)\s*\)`,
    ([, kind = ""]) => `barcode("${kind === "13" || kind === "8" ? "ean" : "code"}${kind}")`,
  ),
  rewrite(
    String.raw`(?<=::\s*(?:.*,\s*)?)(qrcode|barcode)(?:\(\s*(\d+(?:\.\d+)?)\s*\)|\s*,\s*size\(\s*(\d+(?:\.\d+)?)\s*\))`,
    ([, code, size, other]) => `${code}, width("${lengthOf(size || other)}")`,
  ),
  // One of two colors.
  rewrite(
    String.raw`^(${NAME}(?:\.${NAME})*)(\s*::\s*(?:.*,\s*)?(?:color|fill|style))\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)`,
    ([, value = "", look, one, other]) => {
      const isElement = new RegExp(`^(?:${ELEMENT})$`).test(value);
      const condition = isElement ? "$index % 2 == 0" : `${value} < 0`;
      return `${value}${look}($if(${condition}, ${one}, ${other}))`;
    },
  ),
  rewrite(String.raw`(?<=[(,]\s*)(…|\.\.\.)(?=\s*\))`, ([, dots], tag) =>
    tag.match(String.raw`::.*truncate\(`) === null ? null : `"${dots}"`,
  ),
];

/** Returns a sentence about a corrected tag of an element or a look, or an empty text. */
function noteOnElement(tag: Written, meant: string): Wording {
  const [, element = "", value = "", looks = ""] = tag.match(VALUE_OF) ?? [];
  if (/^(?:cell|paragraph)$/.test(element)) {
    return looks.includes("when(")
      ? ` The word '${element}' prints no value.`
      : withTags` The word '${element}' prints no value. If '${value}' is the condition, write {{${element} :: ${looks}, when(${value})}}.`;
  }
  const [, condition] = /(?:color|fill|style)\(\$if\(([^,]+),/.exec(meant) ?? [];
  const hasTwo =
    tag.match(String.raw`(?:color|fill|style)\(\s*${TEXT}\s*,\s*${TEXT}\s*\)`) !== null;
  return condition !== undefined && hasTwo
    ? ` Write your own condition in place of ${condition}.`
    : "";
}

/** Returns a sentence about a tag with a corrected slip, or an empty text. */
export function noteOnSlip(tag: Written, meant: string): Wording {
  if (hasSeparators(tag)) return " A number has no separators, only a point before its decimals.";
  return noteOnElement(tag, meant);
}
