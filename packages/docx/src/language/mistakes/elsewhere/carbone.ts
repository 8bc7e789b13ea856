import { type Correction, rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT, Written } from "../written.ts";

const FORMATTER = "(?<!:):(?!:)";

/** The comparisons of Carbone's conditions. */
const COMPARISONS: Readonly<Record<string, string>> = {
  ...{ ifEQ: "==", ifNE: "!=", ifGT: ">", ifGTE: ">=", ifLT: "<", ifLTE: "<=" },
};

const OPERATORS: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*", div: "/" };

const UNITS: Readonly<Record<string, string>> = { D: "Days", W: "Weeks", M: "Months", Y: "Years" };

const TOTALS: Readonly<Record<string, string>> = {
  ...{ Sum: "sum", Avg: "average", Min: "min", Max: "max", Count: "count" },
};

/** Formatters of Carbone that are conditions, computations or functions of lists here. */
export const OF_CARBONE: readonly Correction[] = [
  chosen,
  // Dates and codes.
  rewrite(
    String.raw`^(${PATH})\s*:\s*convDate\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)`,
    ([, value, from = "", to = ""]) =>
      `${value}.toDate("${ownLetters(from)}") :: format("${ownLetters(to)}")`,
  ),
  rewrite(
    String.raw`^(${PATH})\s*::?\s*barcode\(\s*["']?qr_?code["']?\s*\)$`,
    ([, value]) => `${value} :: qrcode`,
    "i",
  ),
  // Blocks.
  rewrite(String.raw`^(?:${PATH})\s*:\s*(?:show|hide|drop|keep)End$`, () => "endif"),
  (tag) => {
    const [value = "", ...tests] = tag.split(FORMATTER);
    const [, block] = /^(show|hide)Begin$/.exec(tests.at(-1) ?? "") ?? [];
    if (block === undefined || tests.length > 2) return null;
    const condition = tests.length === 1 ? value : conditionOf(value, tests[0] ?? "");
    if (condition === null) return null;
    const isOne = /^[\p{L}\p{N}_.]+$/u.test(condition);
    return `if ${block === "show" ? condition : `not ${isOne ? condition : `(${condition})`}`}`;
  },
  computed,
  // Carbone takes the currency from its options. The argument is the number of decimals.
  rewrite(String.raw`(?<!:):\s*formatC\(\s*(\d)\s*\)`, ([, decimals]) => `:formatN(${decimals})`),
  rewrite(
    String.raw`^(${PATH})\s*:\s*(add|sub)([DWMY])\(\s*(\d+)\s*(?:,\s*[^()]*)?\)`,
    ([, value, name, unit = "", count]) =>
      `${value}.add${UNITS[unit]}(${name === "sub" ? "-" : ""}${count})`,
  ),
  rewrite(
    String.raw`^(${PATH})\[(?:i)?\]\.(${NAME})\s*:\s*agg(Sum|Avg|Min|Max|Count)(?:\(\s*\))?`,
    ([, list, key, name = ""]) => `${list}.${TOTALS[name]}(${name === "Count" ? "" : key})`,
  ),
  rewrite(
    String.raw`^(${PATH})\[(?:i)?\]\.(${NAME})\s*:\s*(?:aggStr|arrayJoin)(?:\(\s*([^()]*)\s*\))?`,
    ([, list, key, between]) => `${list}.${key}.join(${between || '", "'})`,
  ),
  // The hint for the list says where its loop begins.
  rewrite(
    String.raw`^(?:d\.)?(${PATH})\[i(?:\+1)?\]((?:\.${NAME})*)\s*${FORMATTER}\s*(.+)$`,
    ([, list, keys, formatters = ""]) =>
      [`${list}[i]${keys}`, ...new Written(formatters).split(FORMATTER)].join(" | "),
  ),
];

/** Returns a pattern of moment.js in quotes, `'YYYYMMDD'`, as one of this language. */
function ownLetters(text: string): string {
  return text.slice(1, -1).replace(/[YD]/g, (letter) => letter.toLowerCase());
}

/** `total:mul(2):formatN(2)`. */
function computed(tag: Written): string | null {
  const [value = "", ...formatters] = tag.split(FORMATTER);
  if (new Written(value).match(`^${PATH}$`) === null) return null;
  const called = formatters.map((each) =>
    /^(add|sub|mul|div)\(\s*(-?[\p{L}\p{N}_.]+)\s*\)$/u.exec(each),
  );
  let [whole, count] = [value, 0];
  for (const call of called) {
    if (call === null) break;
    const [, name = "", other] = call;
    whole = `${count === 0 ? whole : `(${whole})`} ${OPERATORS[name]} ${other}`;
    count += 1;
  }
  if (count === 0) return null;
  return [whole, ...formatters.slice(count)].join(" | ");
}

/** `paid:ifEQ(true):show('yes'):elseShow('no')`. */
function chosen(tag: Written): string | null {
  const [value = "", test = "", ...rest] = tag.split(FORMATTER);
  if (rest.length === 0 || new Written(value).match(`^${PATH}$`) === null) return null;
  const condition = conditionOf(value, test);
  if (condition === null) return null;
  const [first = "", second, ...more] = rest;
  const shown = /^show\((.*)\)$/.exec(first)?.[1];
  const other = second === undefined ? undefined : /^elseShow\((.*)\)$/.exec(second)?.[1];
  const wrong = shown === undefined || (second !== undefined && other === undefined);
  if (more.length > 0 || wrong) return null;
  return `$if(${condition}, ${quoted(shown)}, ${other === undefined ? value : quoted(other)})`;
}

function conditionOf(value: string, test: string): string | null {
  if (/^ifEM(?:\(\))?$/.test(test)) return `${value} isEmpty`;
  if (/^ifNEM(?:\(\))?$/.test(test)) return `not ${value} isEmpty`;
  const [, name = "", compared = ""] = /^(if\p{Lu}+)\((.*)\)$/u.exec(test) ?? [];
  if (name === "ifIN") return `${value} contains ${quoted(compared)}`;
  const sign = COMPARISONS[name];
  if (sign === undefined) return null;
  const plain = compared.trim();
  if (sign === "==" && plain === "true") return value;
  if (sign === "==" && plain === "false") return `not ${value}`;
  return `${value} ${sign} ${quoted(plain)}`;
}

/** Returns a text in quotes. Carbone needs none. */
function quoted(text: string): string {
  const plain = text.trim();
  return /^(?:["'].*["']|-?\d+(?:\.\d+)?|true|false)$/.test(plain)
    ? plain
    : plain.startsWith(".")
      ? plain.slice(1)
      : `"${plain}"`;
}
