import { localeNamed } from "../../../format/locale-names.ts";
import { FUNCTIONS, isFunction } from "../../grammar/functions.ts";
import { isModifier, MODIFIERS, type ModifierName } from "../../grammar/modifier-signatures.ts";
import { type Correction, CURRENCIES, lengthOf, rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "../written.ts";

/** The codes of currencies that are written as a word. */
const CODES: Readonly<Record<string, string>> = {
  ...{ euro: "EUR", dollar: "USD", usd: "USD", pound: "GBP", franc: "CHF", yen: "JPY" },
};

const MODIFIER = String.raw`(?<=(?:::.*,|::)\s*)`;
const LOOK = "bold|italic|underline|strike";

/** Modifiers that other languages write differently. Each correction concerns the part after `::`. */
export const OTHER_MODIFIERS: readonly Correction[] = [
  rewrite(String.raw`${MODIFIER}(${NAME})(?=\s*(?:\(|,|$))`, ([, name = ""]) =>
    isModifier(name) ? null : inLowercase(name),
  ),
  // Formats.
  rewrite(String.raw`${MODIFIER}(number|format)\(\s*([#0][#0,.]*0)\s*\)`, ([, , pattern = ""]) =>
    /[#,]|^0{2,}|\./.test(pattern) ? `number("${pattern}")` : null,
  ),
  rewrite(
    String.raw`^(${PATH})\s*::\s*([dDMyY]{1,4}(?:[-./ ]+[dDMyY]{1,4}){1,2}(?:\s+[Hh]{1,2}:mm)?)$`,
    ([, value, pattern]) => `${value} :: format("${pattern}")`,
  ),
  rewrite(String.raw`(?<=::.*)\s*;\s*(?=\p{L})`, () => ", "),
  rewrite(
    String.raw`${MODIFIER}(?:decimals?|decimal_?places|places|digits|precision|fixed)\(\s*(\d)\s*\)`,
    ([, decimals]) => `number(${decimals})`,
    "i",
  ),
  rewrite(
    String.raw`${MODIFIER}(euros?|dollars?|usd|pounds?|francs?|yen)(?=\s*(?:,|$))`,
    ([, name = ""]) => `currency("${CODES[name.toLowerCase().replace(/s$/, "")]}")`,
    "i",
  ),
  rewrite(
    String.raw`${MODIFIER}currency\(\s*(${TEXT})\s*\)\s*,\s*number\(\s*(\d)\s*\)`,
    ([, code, decimals]) => `currency(${code}, ${decimals})`,
  ),
  rewrite(
    String.raw`${MODIFIER}number\(\s*(\d)\s*\)\s*,\s*currency\(\s*(${TEXT})\s*\)`,
    ([, decimals, code]) => `currency(${code}, ${decimals})`,
  ),
  rewrite(
    String.raw`${MODIFIER}mask\(\s*(?:(${TEXT})|([09#*_xX][-09#*_xX.()/ ]*))\s*\)`,
    ([, mask, bare]) => `format(${(mask || `"${bare}"`).replace(/[09#*_]/g, "x")})`,
  ),
  rewrite(String.raw`${MODIFIER}strip(?:\(\s*\))?(?=\s*(?:,|$))`, () => "trim"),
  rewrite(
    String.raw`^(${PATH})\s*::\s*(?:title_?case|proper_?case|title)(?:\(\s*\))?(?=\s*(?:,|$))`,
    ([, value]) => `${value} :: titleCase()`,
    "i",
  ),
  rewrite(
    String.raw`^paragraph\s*::\s*(restart|continue)(?:\(\s*\))?(?=\s*(?:,|$))`,
    ([, how]) => `paragraph :: numbering("${how}")`,
  ),
  rewrite(
    String.raw`${MODIFIER}(width|height)\(\s*(\d+(?:\.\d+)?)\s*\)`,
    ([, name, size]) => `${name}("${lengthOf(size)}")`,
  ),
  rewrite(
    String.raw`${MODIFIER}(width|height)\(\s*(\d+(?:\.\d+)?)\s*(cm|mm|in|pt)\s*\)`,
    ([, name, size, unit]) => `${name}("${size}${unit}")`,
  ),
  rewrite(String.raw`${MODIFIER}formatC\(\s*(\d)\s*\)`, ([, decimals]) => `number(${decimals})`),
  rewrite(String.raw`${MODIFIER}format\(\s*(\d+)\s*\)`, ([, decimals]) => `number(${decimals})`),
  rewrite(
    String.raw`${MODIFIER}(${CURRENCIES})(?=\s*(?:,|$))`,
    ([, code]) => `currency("${code}")`,
  ),
  rewrite(
    String.raw`${MODIFIER}(currency|percent)\(\s*(${VALUE})\s*,\s*(${TEXT})\s*\)`,
    ([, name, value, language = ""]) => {
      if (/^["'][a-z]{2}(?:-[A-Za-z]{2})?["']$/.test(language))
        return `${name}(${value}), locale(${language})`;
      const locale = localeNamed(language.slice(1, -1));
      return locale === null ? null : `${name}(${value}), locale("${locale}")`;
    },
  ),
  rewrite(
    String.raw`${MODIFIER}((?:number|currency)(?:\([^()]*\))?)\s*,\s*replace\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)`,
    ([, number, from = "", to = ""]) =>
      from.slice(1, -1) === "," && /^["'](?:'|’)["']$/.test(to)
        ? `${number}, locale("de-CH")`
        : null,
  ),
  rewrite(
    String.raw`^([^:]+?)\s*::\s*((?:number|currency|percent)(?:\([^()]*\))?)\s*([-+*/%])\s*(${VALUE})(?:\s*::\s*[^:]+)?$`,
    ([, value = "", number, sign, other]) => {
      const isTerm = new Written(value).split("[-+*/%]|[?]{2}").length === 1;
      return `${isTerm ? value : `(${value})`} ${sign} ${other} :: ${number}`;
    },
  ),
  rewrite(
    String.raw`^([^:]+?)\s*::\s*(${NAME}(?:\([^()]*\))?)\s*\?\?\s*(-?${VALUE})$`,
    ([, value, modifier = "", other = ""]) => {
      if (/^optional/.test(modifier)) return null;
      return /^["']/.test(other)
        ? `${value} :: ${modifier}, default(${other})`
        : `${value} ?? ${other} :: ${modifier}`;
    },
  ),
  rewrite(
    String.raw`^(${PATH}|${PATH}\(\))\s*::\s*(format(?:\([^()]*\))?)\s*([-+])\s*(\d+)$`,
    ([, date, format, sign, days]) =>
      `${date}.addDays(${sign === "-" ? "-" : ""}${days}) :: ${format}`,
  ),
  rewrite(String.raw`${MODIFIER}optional\(\s*(${VALUE})\s*\)`, ([, value]) => `default(${value})`),
  rewrite(
    String.raw`${MODIFIER}default\(\s*([-–—/.*?]+|n\/a)\s*\)`,
    ([, text]) => `default("${text}")`,
  ),
  rewrite(
    String.raw`^(${PATH})\s*::\s*(?:yes_?no|bool(?:ean)?)(?:\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\))?$`,
    ([, value, yes, no]) => `$if(${value}, ${yes || '"Yes"'}, ${no || '"No"'})`,
    "i",
  ),
  rewrite(
    String.raw`${MODIFIER}(?:round_?(up)|round_?down|trunc)(?:\(\s*(\d*)\s*\))?(?=\s*(?:,|$))`,
    ([, up, places]) => `round(${places || 0}, "${up === "" ? "down" : "up"}")`,
    "i",
  ),
  rewrite(
    String.raw`${MODIFIER}(ceil(?:ing)?|floor)(?:\(\s*\))?(?=\s*(?:,|$))`,
    ([, name = ""]) => `round(0, "${/^c/i.test(name) ? "ceiling" : "floor"}")`,
    "i",
  ),
  // A share of a value.
  rewrite(
    String.raw`^(${PATH})\s*::\s*percent\(\s*(\d+[.,]\d+)\s*\)$`,
    ([, value, rate = ""]) =>
      `${value} * ${Number((Number(rate.replace(",", ".")) / 100).toFixed(6))} :: number(2)`,
  ),
  rewrite(String.raw`${MODIFIER}percent\(\s*(${TEXT})\s*\)`, ([, pattern = ""]) => {
    const [, number] = /^.([#0,]*0\.0*#+)\s*%?.$/.exec(pattern) ?? [];
    if (number !== undefined) return `number("${number}%")`;
    const [, decimals] = /^.#?0(?:[.,](0*))?\s*%?.$/.exec(pattern) ?? [];
    return /0/.test(pattern) && /^.[#0.,% ]+.$/.test(pattern)
      ? `percent(${decimals?.length ?? 0})`
      : null;
  }),
  rewrite(String.raw`(?<=::.*delimiter\(\s*${TEXT}\s*\)\s*,\s*)last\(`, () => "lastdelimiter("),
  // The key of the cells that are merged.
  rewrite(
    String.raw`^(${PATH})\s*::\s*(merge(?:Across)?)\(\s*["'](${NAME})["']\s*\)$`,
    ([, value = "", name, key]) =>
      value.endsWith(`.${key}`) ? `${value} :: ${name}(${value})` : null,
  ),
  // Sizes and codes.
  rewrite(
    String.raw`${MODIFIER}(?:size|image|img|picture)\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)`,
    ([, width, height]) => `width(${width}), height(${height})`,
  ),
  // Points may be the size of a font.
  rewrite(
    String.raw`${MODIFIER}(?:size|image|img|picture)\(\s*(${TEXT})\s*\)`,
    ([, size = ""], tag) => {
      const isCode = tag.match("::.*(?:qrcode|barcode)") !== null;
      const units = isCode ? /\d\s*(?:cm|mm|in|pt|px)\W$/ : /\d\s*(?:cm|mm|in)\W$/;
      return units.test(size) ? `width(${size})` : null;
    },
  ),
  rewrite(
    String.raw`${MODIFIER}(code128|code39|ean13|ean8|upca|itf14|isbn)(?=\s*(?:,|$))`,
    ([, kind = ""]) => `barcode("${kind.toLowerCase()}")`,
    "i",
  ),
  (tag) =>
    tag.replace(
      String.raw`${MODIFIER}(qrcode|barcode)\(\s*(${TEXT})\s*\)`,
      ([, code, size = ""]) =>
        /\d\s*(?:cm|mm|in|pt|px)\W$/.test(size) ? `${code}, width(${size})` : null,
    ),
  // Looks.
  rewrite(
    String.raw`(?<=::.*)(?<![\p{L}\p{N}_])(${LOOK})\s+(?:(?:and|&|\+)\s*)?(?=(?:${LOOK})(?![\p{L}\p{N}_]))`,
    ([, look]) => `${look}, `,
  ),
  rewrite(
    String.raw`${MODIFIER}(color|fill|style)\(\s*(${TEXT})\s*\)\s*,\s*when\(([^()]+)\)\s*,\s*(?:else|otherwise)\s+\1\(\s*(${TEXT})\s*\)$`,
    ([, look, one, condition, other]) => `${look}($if(${condition}, ${one}, ${other}))`,
  ),
  rewrite(
    String.raw`${MODIFIER}(color|fill|style)\(\s*([^(),]*[<>=][^(),]*)\s*,\s*(${TEXT})\s*\)`,
    ([, look, condition = "", value]) => `${look}(${value}), when(${condition.trim()})`,
  ),
  rewrite(
    String.raw`(?<=::.*(?:color|fill|style)\(\s*${TEXT}\s*\)\s*,\s*|::.*(?:${LOOK})\s*,\s*)\$?if\s*\(`,
    () => "when(",
  ),
  rewrite(
    String.raw`(?<=::.*(?:color|fill|style)\(\s*${TEXT}\s*\)|::\s*(?:${LOOK}))\s+(?:if|when)\s+([^:]+)$`,
    ([, condition]) => `, when(${condition})`,
  ),
  // A value in place of a missing one.
  rewrite(String.raw`\s*::\s*optional(?:\(\s*\))?\s*(?=\?\?)`, () => " "),
  // A condition alone after a look.
  rewrite(
    String.raw`(?<=::.*(?:color|fill|style)\(\s*${TEXT}\s*\)\s*|::.*(?<![\p{L}\p{N}_])(?:${LOOK})\s*),\s*(not\s[^:,]+|[^:,]*(?:[<>=]|\s(?:isPresent|isEmpty)$)[^:,]*)$`,
    ([, condition = ""]) => `, when(${condition})`,
  ),
  rewrite(
    String.raw`${MODIFIER}(red|green|blue|orange|yellow|gr[ae]y|white|black)(?=\s*(?:,|$))`,
    ([, color = ""]) => `color("${color.toLowerCase()}")`,
    "i",
  ),
  rewrite(
    String.raw`${MODIFIER}(style|link|default|color|fill)\(\s*(\p{L}[\p{L}\p{N}]*(?:[,.:!?]?\s+[\p{L}\p{N}]+)+[.!?]?)\s*\)`,
    ([, name = "", text = ""]) =>
      `${name}("${/^(?:color|fill)$/.test(name) ? text.toLowerCase().replace(/\s+/g, "") : text}")`,
  ),
  functionsFirst,
];

/** Returns a modifier that is written in other letters, such as `Optional`. */
function inLowercase(name: string): string | null {
  const small = name.toLowerCase();
  const known = Object.keys(MODIFIERS).find((each) => each.toLowerCase() === small);
  return (known as ModifierName | undefined) ?? null;
}

/** `due :: format("long").addDays(30)` and `total :: number(2), padStart(12)`: modifiers work on the printed text. */
function functionsFirst(tag: Written): string | null {
  const call = String.raw`(${NAME})\([^()]*\)`;
  const [, value = "", modifier = "", given = "", calls = "", name = ""] =
    tag.match(
      String.raw`^([^:]+?)\s*::\s*(${NAME})(\([^()]*\))?\s*(?:\.|,\s*|::\s*)(${call}(?:\.${NAME}\([^()]*\))*)(?:\s*(?:,|::).*)?$`,
    ) ?? [];
  const full = `$${name}`;
  if (!isModifier(modifier) || isModifier(name) || !isFunction(full)) return null;
  const rest = tag.text.slice(tag.text.lastIndexOf(calls) + calls.length);
  // A function on text takes the formatted text.
  return FUNCTIONS[full].of === "text" && isFunction(`$${modifier}`)
    ? `${value}.${modifier}${given || "()"}.${calls}${rest.replace(/^\s*,/, " ::")}`
    : `${value}.${calls} :: ${modifier}${given}${rest}`;
}
