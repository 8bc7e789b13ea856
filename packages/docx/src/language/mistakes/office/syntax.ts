import { isModifier } from "../../grammar/modifier-signatures.ts";
import { type Correction, rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT, VALUE, type Written } from "../written.ts";
import { LANGUAGE } from "./hints.ts";

const MODIFIER = String.raw`(?<=(?:::.*,|::)\s*)`;
const FORMAT = String.raw`(?:currency|number|percent|format)(?:\([^()]*\))?`;
const LOOK = String.raw`(?:color|fill|style)\(\s*${TEXT}\s*\)|bold|italic|underline|strike`;

/** Languages whose numbers have a sign before the decimals, or between thousands. */
const LANGUAGES: Readonly<Record<string, string>> = { ",": "de", "'": "de-CH", "’": "de-CH" };

/** Arguments, looks and conditions in forms that authors know from other office programs. */
export const OFFICE_SYNTAX: readonly Correction[] = [
  // `dogs :: plural("dog", "dogs")`.
  rewrite(
    String.raw`^(${PATH})\s*(?:::\s*|\.)plurali?[sz]?e?\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)$`,
    ([, count, one, other]) => `$if(${count} == 1, ${one}, ${other})`,
    "i",
  ),
  // `fee :: bold(when late)`.
  rewrite(
    String.raw`(?<=::.*(?:bold|italic|underline|strike|when)\(\s*)(?:when|if)\s+(?=[^\s)])`,
    () => "",
  ),
  // `$if(late, "late" :: color("red"), "in time")`.
  rewrite(
    String.raw`^(\$if\(\s*)([^,]+?)(\s*,\s*)(${VALUE})\s*::\s*(${LOOK})(\s*,\s*${VALUE}\s*\))$`,
    ([, start, condition, comma, value, look, rest]) =>
      `${start}${condition}${comma}${value}${rest} :: ${look}, when(${condition})`,
  ),
  rewrite(
    String.raw`^(\$if\(\s*)([^,]+?)(\s*,\s*${VALUE}\s*,\s*)(${VALUE})\s*::\s*(${LOOK})\s*\)$`,
    ([, start, condition = "", values, value, look]) =>
      `${start}${condition}${values}${value}) :: ${look}, when(not ${/\s/.test(condition) ? `(${condition})` : condition})`,
  ),
  // `permits.top(2, fee)`.
  rewrite(
    String.raw`\.(top|bottom|largest|smallest)\(\s*(\d+|${PATH})\s*,\s*(${PATH})\s*\)`,
    ([, name = "", one = "", other = ""]) => {
      const [count, key] = /^\d/.test(one) ? [one, other] : [other, one];
      return `.sort(${key}${/^[tl]/i.test(name) ? " desc" : ""}).limit(${count})`;
    },
    "i",
  ),
  rewrite(
    String.raw`\.(top|largest)\(\s*(${PATH})\s*,\s*(\d+)\s*\)`,
    ([, , key, count]) => `.sort(${key} desc).limit(${count})`,
  ),
  // `where(late = no)`.
  rewrite(
    String.raw`(?<![=!<>])=\s*(yes|no)(?=\s*(?:\)|$|and\s|or\s|::))`,
    ([, word = ""]) => `== ${/^y/i.test(word)}`,
    "i",
  ),
  // `number(2, ",")`.
  rewrite(
    String.raw`${MODIFIER}number\(\s*(\d)\s*,\s*(${TEXT})\s*(?:,\s*(${TEXT})\s*)?\)`,
    ([, decimals, text = "", more = ""]) => {
      const [sign, thousands] = [text.slice(1, -1), more.slice(1, -1)];
      if (sign === "." && (thousands === "" || thousands === ",")) return `number(${decimals})`;
      const language = LANGUAGES[sign === "." ? thousands : sign];
      return language === undefined ? null : `number(${decimals}), locale("${language}")`;
    },
  ),
  // `currency(code, locale("de-CH"))`, `currency(code) locale("de-CH")` and `currency(code), lang`.
  rewrite(
    String.raw`${MODIFIER}(${NAME})\(\s*(${VALUE}(?:\s*,\s*\d)?)\s*,\s*(locale\(\s*${VALUE}\s*\))\s*\)`,
    ([, name = "", given, locale]) => (isModifier(name) ? `${name}(${given}), ${locale}` : null),
  ),
  rewrite(String.raw`(?<=::[^:]*\))\s+(${NAME})(?=\s*(?:\(|,|$))`, ([, name = ""]) =>
    isModifier(name) && name !== "when" ? `, ${name}` : null,
  ),
  rewrite(
    String.raw`(?<=::\s*(?:.*,\s*)?${FORMAT}\s*),\s*(${LANGUAGE})(?=\s*(?:,|$))`,
    ([, language = ""]) => (isModifier(language) ? null : `, locale(${language})`),
  ),
  // `first, " ", last`.
  joinedMeant,
  // `name.split(" ", 2)` and `name.split(" ").second()`.
  rewrite(
    String.raw`\.split\(\s*(${TEXT})\s*,\s*([1-9])\s*\)(?!\s*\[)`,
    ([, sign, part]) => `.split(${sign})[${Number(part) - 1}]`,
  ),
  rewrite(String.raw`(?<=\))\.(second|third)\(\s*\)`, ([, place]) =>
    place === "second" ? "[1]" : "[2]",
  ),
  // `iban.chunk(4)`.
  rewrite(
    String.raw`^(${PATH})(?:\s*::\s*|\.)(?:chunks?|groups_?of|split_?every)\(\s*([2-9])\s*(?:,\s*${TEXT}\s*)?\)$`,
    ([, value, size]) =>
      `$range(0, 8).map(${value}.substring(this * ${size}, ${size})).nonEmpty().join(" ")`,
    "i",
  ),
  // `start.daysUntil(end, "workdays")`.
  rewrite(
    String.raw`(${PATH})\.daysUntil\(\s*(${VALUE})\s*,\s*(${TEXT}|${NAME})\s*\)`,
    ([, start, end, unit = ""]) =>
      /^["']?(?:work|business|week|working)[_ ]?days?["']?$/i.test(unit)
        ? `$range(0, ${start}.daysUntil(${end})).count(${start}.addDays(this).weekday() <= 5)`
        : null,
  ),
];

/** Values and texts with commas between them, of which one is a text. */
function joinedMeant(tag: Written): string | null {
  if (tag.match(String.raw`^${VALUE}(?:\s*,\s*${VALUE})+$`) === null) return null;
  const values = tag.split(",");
  const isText = values.map((value) => /^["']/.test(value));
  // A value and one text may mean a currency, or a value in place of a missing one.
  return isText.includes(true) && isText.filter((each) => !each).length > 1
    ? `$concat(${values.join(", ")})`
    : null;
}
