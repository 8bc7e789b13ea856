import { nearest } from "@quire/contracts";
import { localeOfCountry } from "../../format/country-locales.ts";
import { halfOfDay } from "../../format/date-pattern.ts";
import { checkPattern } from "../../format/format-pattern.ts";
import { LANGUAGES, languageNamed, localeOfCountryNamed } from "../../format/locale-names.ts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Expression } from "../../language/grammar/expression.ts";
import type { ModifierName } from "../../language/grammar/modifier-signatures.ts";
import { spellOperand } from "../../language/grammar/spell.ts";
import { COLOR_NAMES, lookColor, shadeNamed } from "../rich/colors.ts";
import { timeZoneMeant } from "./time-zone-meant.ts";

/** The codes of currencies by their signs and names, in lowercase. */
const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ...named("EUR", "€", "euro", "euros"),
  ...named("USD", "$", "us$", "dollar", "dollars"),
  ...named("GBP", "£", "pound", "pounds"),
  ...named("JPY", "¥", "yen"),
  ...named("CNY", "rmb", "yuan", "renminbi"),
  ...named("CHF", "fr", "fr.", "sfr", "sfr.", "franken", "francs"),
  ...named("PLN", "zł", "zl"),
  ...named("INR", "₹"),
  ...named("UAH", "₴"),
  ...named("TRY", "₺"),
  ...named("CZK", "kč"),
  ...named("HUF", "ft"),
]);

function named(code: string, ...names: readonly string[]): [string, string][] {
  return names.map((name) => [name, code]);
}

/** Returns the hint for a sign or a name in place of the code of a currency, or null. */
export function currencyMeant(text: string): string | null {
  const code = CURRENCIES.get(text.trim().toLowerCase());
  return code === undefined ? null : `The code of ${text.trim()} is ${code}.`;
}

/** Returns the hint for a path in quotes, as in `currency("order.currency")`; null for other texts. */
function unquotedCode(text: string): string | null {
  return /^[a-z_][\w]*(?:\.[a-z_]\w*)*$/.test(text)
    ? `For a code in the data write its name without quotes: currency(${text}).`
    : null;
}

/** Returns the hint for a path with a dot in quotes, as in `fill("item.color")`; null for other texts. */
export function unquotedPath(name: ModifierName, text: string): string | null {
  return /^[a-z_]\w*(?:\.[a-z_]\w*)+$/i.test(text)
    ? `For a value of the data write its name without quotes: ${name}(${text}).`
    : null;
}

/** Returns the hint for a name in quotes that the modifier does not know, as in `locale("language")`, or null. */
function unquotedName(name: ModifierName, text: string): string | null {
  return /^[a-z_]\w*$/i.test(text)
    ? `If '${text}' is a value of the data, write its name without quotes: ${name}(${text}).`
    : null;
}

/** Returns the hint for a color that is not known, such as `dark red`; null if nothing is similar. */
export function colorMeant(name: string, text: string): string | null {
  const shade = shadeNamed(text);
  if (shade !== null && lookColor(text.replace(/[\s_-]+/g, "")) === null)
    return `No color has this name. Write ${name}("${shade}").`;
  const joined = text.toLowerCase().replace(/[\s_-]+/g, "");
  const color = lookColor(joined) === null ? nearest(joined, COLOR_NAMES) : joined;
  return color === null ? null : `Write ${name}("${color}").`;
}

/** The locales that have a sign between thousands. */
const LOCALES: Readonly<Record<string, string>> = {
  ...{ ".": "de", " ": "fr", "\u00a0": "fr", "\u202f": "fr", "'": "de-CH", "’": "de-CH" },
};

/** Returns the hint for a pattern of a spreadsheet: `#,##0.00_);(#,##0.00)` and `0.0,`; null for others. */
function excelMeant(text: string, value: Expression): Wording | null {
  const plain = text.replace(/_./g, "");
  if (plain !== text && checkPattern("number", plain) === null) return `Write number("${plain}").`;
  const [, pattern = "", commas = ""] = /^([#0,]*0(?:\.[0#]+)?)(,{1,2})$/.exec(text) ?? [];
  if (commas === "" || checkPattern("number", pattern) !== null) return null;
  return withTags`Divide the value, because a pattern does not: write {{${spellOperand(value)} / ${commas === "," ? "1000" : "1000000"} :: number("${pattern}")}}.`;
}

/** Returns the hint for a pattern with the signs of a country, such as `#.##0,00`; null for others. */
function localMeant(text: string, value: Expression): Wording | null {
  const excel = excelMeant(text, value);
  if (excel !== null) return excel;
  const [numeral, places = ""] = /^0,0(\.0+)?$/.exec(text) ?? [];
  if (numeral !== undefined) return `Write number("#,##0${places}").`;
  const [, decimal] = /^0,(0{2,})$/.exec(text) ?? [];
  if (decimal !== undefined)
    return `Patterns always use a point for decimals. The locale chooses the signs in the document: number("0.${decimal}"), locale("de").`;
  const [, sign = "", decimals = ""] = /^#([. \u00a0\u202f'’])##0(?:[.,](0+))?$/.exec(text) ?? [];
  const locale = LOCALES[sign];
  if (locale === undefined) return null;
  const pattern = `#,##0${decimals === "" ? "" : `.${decimals}`}`;
  return `Patterns always use a comma for thousands and a point for decimals. The locale chooses the signs in the document: number("${pattern}"), locale("${locale}").`;
}

/** Returns the hint for a pattern with a part for negative numbers, such as `0.00;[Red]-0.00`; null for others. */
function partsMeant(text: string, value: Expression): Wording | null {
  const [first = "", second] = text.split(";");
  if (second === undefined || checkPattern("number", first.trim()) !== null) return null;
  const pattern = `number("${first.trim()}")`;
  const color = /\[(red|blue|green|yellow|black|cyan|magenta|white)\]/i.exec(second)?.[1];
  const path = value.kind === "path" ? value.source : "total";
  return color === undefined
    ? withTags`A pattern has one part, also for negative numbers: {{${path} :: ${pattern}}}.`
    : withTags`A pattern has one part. For the color of negative numbers write {{${path} :: ${pattern}, color("${color.toLowerCase()}"), when(${path} < 0)}}.`;
}

/** Returns the hint for the name of a language or a country, in English or in itself; null for other texts. */
function languageMeant(text: string): string | null {
  const code = languageNamed(text);
  if (code !== null) return `The language tag of ${text.trim()} is "${code}".`;
  const locale = localeOfCountryNamed(text);
  return locale === null ? null : `Write locale("${locale}").`;
}

/** Returns the hint for a language tag with `_`, such as `de_DE`; null for other texts. */
function hyphenMeant(text: string): string | null {
  const [, language = "", region = ""] = /^([a-z]{2})_([a-z]{2})(?:\.utf-?8)?$/i.exec(text) ?? [];
  return LANGUAGES.includes(language.toLowerCase())
    ? `Write locale("${language.toLowerCase()}-${region.toUpperCase()}").`
    : null;
}

/** Returns the hint for the code of a country in place of a language, such as `dk`; null for other texts. */
function countryMeant(text: string): string | null {
  const locale = localeOfCountry(text.trim());
  return locale === null ? null : `Write locale("${locale}").`;
}

/** Returns the hint with the tag that an argument of a modifier means; null if it is not recognized. */
export function argumentMeant(name: ModifierName, text: string, value: Expression): Wording | null {
  switch (name) {
    case "currency":
      return currencyMeant(text) ?? unquotedCode(text);
    case "color":
    case "fill":
      return unquotedPath(name, text) ?? colorMeant(name, text) ?? unquotedName(name, text);
    case "number":
      return localMeant(text, value) ?? partsMeant(text, value);
    case "format":
      return formatMeant(text, value);
    case "timeZone":
      return timeZoneMeant(text) ?? unquotedName(name, text);
    case "locale":
      return (
        countryMeant(text) ??
        languageMeant(text) ??
        hyphenMeant(text) ??
        unquotedPath(name, text) ??
        unquotedName(name, text)
      );
    case "width":
    case "height":
      return unquotedPath(name, text) ?? unquotedName(name, text);
    default:
      return unquotedPath(name, text);
  }
}

/** The formats of moment.js for the forms of a locale. */
const STYLES: Readonly<Record<string, string>> = {
  L: "short",
  l: "short",
  LL: "long",
  ll: "medium",
};

/** The parts of a pattern that names of dates mean. */
const DATE_WORDS: Readonly<Record<string, string>> = {
  ...{ weekday: "EEEE", day: "d", month: "MMMM", year: "yyyy" },
};

/** Returns the pattern for `Month Year`; null for other text. */
function wordsMeant(text: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length === 0 || !words.every((word) => DATE_WORDS[word] !== undefined)) return null;
  return text.replace(/\p{L}+/gu, (word) => DATE_WORDS[word.toLowerCase()] ?? word);
}

/** Returns the hint for a pattern of a week and its year, such as `ww/yyyy`; null for other patterns. */
function weekOfYear(text: string, date: string): Wording | null {
  const [week, year] = [`${date}.week()`, `${date}.weekYear()`];
  const [, before] = /^w{1,2}([^\p{L}]+)y{4}$/iu.exec(text) ?? [];
  if (before !== undefined) return withTags`Write {{${week}}}${before}{{${year}}}.`;
  const [, after] = /^y{4}([^\p{L}]+)w{1,2}$/iu.exec(text) ?? [];
  return after === undefined ? null : withTags`Write {{${year}}}${after}{{${week}}}.`;
}

/** Returns the hint for `LL`, for `yes;no` and for a mask of other signs; null for other formats. */
function formatMeant(text: string, value: Expression): Wording | null {
  if (value.kind === "variable" && value.name === "$number" && /^[aAiI]$/.test(text)) {
    const position = value.of === null ? "$number" : `${value.of}.$number`;
    const small = text === "i" ? " :: lowercase" : "";
    return withTags`Write {{${position}.${/a/i.test(text) ? "letter" : "roman"}()${small}}}.`;
  }
  const half = halfOfDay(text);
  if (half !== null) return `Write format("${half.meant.replaceAll("H", "h")}").`;
  const style = STYLES[text];
  if (style !== undefined) return `Write format("${style}").`;
  const pattern = wordsMeant(text);
  if (pattern !== null)
    return `Write format("${pattern}"): EEEE is the name of the weekday, d the day, MMMM the name of the month, and yyyy the year.`;
  const week = value.kind === "path" ? weekOfYear(text, value.source) : null;
  if (week !== null) return week;
  const mask = text.replace(/[9_]/g, "x");
  if (/[9_][()\s\-/]+[9_]/.test(text) && /^[x()\s+\-/.]+$/.test(mask))
    return `For groups of signs write a mask: format("${mask}").`;
  const [, yes, no] = /^([\p{L} ]+)[;|/]([\p{L} ]+)$/u.exec(text) ?? [];
  const isChoice = yes !== undefined && !/^[dMyHhmsEaGQWwY]+$/.test(yes);
  return isChoice && value.kind === "path"
    ? withTags`For one of two texts write {{$if(${value.source}, "${yes.trim()}", "${no?.trim() ?? ""}")}}.`
    : null;
}
