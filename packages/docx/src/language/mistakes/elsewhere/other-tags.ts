import { type Correction, CURRENCIES, rewrite, START } from "../rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "../written.ts";
import { isNumberPattern } from "./other-patterns.ts";

const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** What this language writes for built-ins of Freemarker. */
const FREEMARKER: Readonly<Record<string, string>> = {
  ...{ upper_case: " :: uppercase", lower_case: " :: lowercase", cap_first: " :: capitalize" },
  ...{ trim: ".trim()", size: ".count()", length: ".length()" },
};

/** Tags of Word and of other engines, and values with the operators and quotes of other languages. */
export const OTHER_TAGS: readonly Correction[] = [
  // Fields of Word.
  rewrite(
    String.raw`^MERGEFIELD\s+(?:(${PATH})|(${TEXT}))(?=\s*(?:\\|$))`,
    ([, path, text = ""]) => path || new Written(text.slice(1, -1)).match(`^${PATH}$`)?.[0] || null,
  ),
  rewrite(String.raw`\s*\\\*\s*MERGEFORMAT`, () => "", "i"),
  rewrite(
    String.raw`^(${PATH})\s*\\\*\s*(?:(upper)|(lower)|(?:firstcap|caps))$`,
    ([, path, upper, lower]) =>
      `${path} :: ${upper !== "" ? "uppercase" : lower !== "" ? "lowercase" : "capitalize"}`,
    "i",
  ),
  rewrite(
    String.raw`^(${PATH})\s*\\([#@])\s*(${TEXT})$`,
    ([, path, sign, pattern]) => `${path} :: ${sign === "@" ? "format" : "number"}(${pattern})`,
  ),
  // Built-ins of Freemarker.
  rewrite(
    String.raw`^(${PATH})\?string\s*[([]\s*(${TEXT})\s*[)\]]$`,
    ([, path, pattern = ""]) =>
      `${path} :: ${/[dMyHhms]/.test(pattern) ? "format" : "number"}(${pattern})`,
  ),
  rewrite(
    String.raw`^(${PATH})\?string\s*\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)$`,
    ([, path, yes, no]) => `$if(${path}, ${yes}, ${no})`,
  ),
  rewrite(
    String.raw`^(${PATH})\?(upper_case|lower_case|cap_first|trim|size|length)$`,
    ([, path, name = ""]) => `${path}${FREEMARKER[name]}`,
  ),
  // Formatters after one colon, formats without a name, and a format before its value.
  (tag) => {
    if (tag.match(String.raw`^${PATH}(?:\s+:\s*|:)(?![:\s])${NAME}`) === null) return null;
    const parts = tag.split("(?<!:):(?!:)");
    return parts.length < 2 ? null : parts.join(" | ");
  },
  rewrite(
    String.raw`^(${TEXT})\s*\|\s*format\(\s*(${VALUE})\s*\)$`,
    ([, pattern, value]) => `${value} :: format(${pattern})`,
  ),
  rewrite(String.raw`^(${PATH}(?:\(\))?)\s*(::|,)?\s*(${TEXT})$`, ([, value, sign, text = ""]) => {
    const pattern = text.slice(1, -1);
    if (sign !== "" && new RegExp(`^(?:${CURRENCIES})$`).test(pattern))
      return `${value} :: currency(${text})`;
    if (isNumberPattern(pattern)) return `${value} :: number(${text})`;
    const isDate = /^[dMyHmsYD]+(?:[-./: ,]+[dMyHmsYD]+)+$/.test(pattern);
    return isDate ? `${value} :: format(${text})` : null;
  }),
  // Formats of Python.
  rewrite(String.raw`^(${TEXT})\s*%\s*\(?\s*(${VALUE})\s*\)?$`, ([, pattern = "", value]) =>
    formatted(value, pattern.slice(1, -1)),
  ),
  rewrite(String.raw`^(${TEXT})\.format\(\s*(${VALUE})\s*\)$`, ([, pattern = "", value]) =>
    formatted(value, pattern.slice(1, -1).replace(/^\{:(.*)\}$/, "%$1")),
  ),
  // A number of decimals after a computation.
  rewrite(
    String.raw`^((?:${PATH}|${NUMBER})(?:\s*[-+*/]\s*(?:${PATH}|${NUMBER}))+)\s*,\s+(\d)$`,
    ([, computation, places]) => `(${computation}).round(${places})`,
  ),
  // Operators.
  rewrite(
    String.raw`^(${PATH}|${NUMBER})\s*([-+])\s*(${PATH}|${NUMBER})\s*%(?=\s*(?:::|$))`,
    ([, value, sign, rate]) => `${value} * (1 ${sign} ${rate} / 100)`,
  ),
  rewrite(
    String.raw`^(${PATH}|${NUMBER})\s*\*\s*(${PATH})\s*%(?=\s*(?:::|$))`,
    ([, value, rate]) => `${value} * ${rate} / 100`,
  ),
  rewrite(
    String.raw`(?<![*/%]\s*)${START}(${PATH}(?:\(\))?|${NUMBER})\s*\/\/\s*(\d+)`,
    ([, value, by]) => `(${value} / ${by}).round(0, "down")`,
  ),
  rewrite(
    String.raw`^(${PATH}|${NUMBER})\s+[xX]\s+(${PATH}|${NUMBER})(?=\s*(?:::|$))`,
    ([, one, other]) => `${one} * ${other}`,
  ),
  // Text that is not in quotes, and a value in place of a missing one.
  (tag) => {
    if (tag.text.includes("${")) return null;
    const meant = tag.text.replace(/[`´]([^`´"]*)[`´]/g, '"$1"');
    return meant === tag.text ? null : meant;
  },
  rewrite(String.raw`(?<=\?\?\s*)([-–—/*]+)(?=\s*(?:::|$))`, ([, text]) => `"${text}"`),
  rewrite(String.raw`^(${PATH})\s*,\s*(${TEXT})$`, ([, value, text]) => `${value} ?? ${text}`),
  rewrite(
    String.raw`^(${PATH})\s*,\s*(${NAME}\(\s*(?:${TEXT}|\d+)\s*\))$`,
    ([, value, modifier]) => `${value} :: ${modifier}`,
  ),
  rewrite(
    String.raw`^(\p{L}[\p{L}\p{N}_]*(?:[- ][\p{L}\p{N}_]+)+\.)$`,
    ([, key]) => `this["${key}"]`,
  ),
  // Liquid.
  rewrite(
    String.raw`^(${PATH})\s*\|\s*slice\s*:\s*(\d+)\s*(?:([,:])\s*(\d+)\s*)?(?=$|\|)`,
    ([, value = "", from, sign, to]) => {
      // Angular has the end of the part here.
      const count = sign === ":" ? Number(to) - Number(from) : Number(to || 1);
      if (value.endsWith("s"))
        return `${value}${from === "0" ? "" : `.skip(${from})`}.limit(${count})`;
      return `${value}.substring(${from}, ${count})`;
    },
  ),
  rewrite(
    String.raw`^(?:loop\.)?cycle(?:\s*\(|\s)\s*(${TEXT})\s*,?\s*(${TEXT})\s*\)?$`,
    ([, odd, even]) => `$if($index % 2 == 0, ${odd}, ${even})`,
  ),
  // Signs and comments.
  rewrite(String.raw`(${VALUE}(?:\(\))?)\s*=>\s*(?=[\d"'])`, ([, value]) => `${value} >= `),
  rewrite(String.raw`^(?:\/\/|\/\*|--\s)\s*(.+?)\s*(?:\*\/)?$`, ([, note]) => `! ${note}`),
  rewrite(String.raw`;(?=[^()]*\))`, () => ","),
];

/** Returns a value with a format of Python, such as `%.2f`, `%,.2f` and `%.0%`; null for other formats. */
function formatted(value: string | undefined, pattern: string): string | null {
  const [, thousands, places = "", kind] = /^%(,?)(?:0?\.(\d))?([fd%])$/.exec(pattern) ?? [];
  if (kind === undefined) return null;
  const decimals = places === "" ? (kind === "f" ? 6 : 0) : Number(places);
  if (kind === "%") return `${value} :: percent(${decimals})`;
  if (thousands === "") return `${value} :: number(${decimals})`;
  return `${value} :: number("#,##0${decimals === 0 ? "" : `.${"0".repeat(decimals)}`}")`;
}
