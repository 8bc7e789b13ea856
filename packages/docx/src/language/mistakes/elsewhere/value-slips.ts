import { type Wording, withTags } from "../../delimiters/wording.ts";
import { rewriteCall } from "../read-calls.ts";
import { type Correction, CURRENCIES, rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT, Written } from "../written.ts";

/** Slips in amounts: their currencies, their steps, their patterns, and the least or greatest of several values. */
export const VALUE_SLIPS: readonly Correction[] = [
  // `value :: currency(code) ?? "EUR"`.
  rewrite(
    String.raw`(?<=::.*)currency\(\s*(${PATH})\s*\)\s*\?\?\s*(${TEXT})$`,
    ([, code, other = ""]) =>
      new RegExp(`^.(?:${CURRENCIES}).$`).test(other) ? `currency(${code} ?? ${other})` : null,
  ),
  // `total :: currency("CHF", 0.05)`.
  rewrite(
    String.raw`^(.+?)\s*::\s*currency\(\s*(${TEXT}|${PATH})\s*,\s*(0\.\d*[1-9])\s*\)`,
    ([, value = "", code, step]) =>
      `(${operand(value)} / ${step}).round() * ${step} :: currency(${code})`,
  ),
  // `total.roundToNearest(5)`.
  rewrite(
    String.raw`^(${PATH})(?:\.|\s*::\s*)(?:round_?to_?)?(?:nearest|multiple|step)\(\s*(\d+(?:\.\d+)?)\s*\)`,
    ([, value, step]) => `(${value} / ${step}).round() * ${step}`,
    "i",
  ),
  // `$min(total * 0.1, 500)`.
  rewriteCall(({ name, isMethod, given }) => {
    if (isMethod || !/^(?:min|max)$/.test(name) || given.length < 2) return null;
    const [first = ""] = given;
    return isNumber(first) || isComputed(first) ? `[${given.join(", ")}].${name}()` : null;
  }),
  // `max(weight, volume * 333)`, if the first name does not look like a list.
  rewriteCall(({ name, isMethod, given }, { text }) => {
    const [first = "", second = "", ...more] = given;
    if (isMethod || !/^(?:min|max)$/.test(name) || more.length > 0) return null;
    if (text.includes(`$${name}`) || !new RegExp(`^${PATH}$`, "u").test(first)) return null;
    const isList = /s$|(?:^|\.)(?:data|list)$/i.test(first);
    const hasNumber = /(?<![\p{L}\p{N}_."'])\d/u.test(second);
    return isList || !hasNumber ? null : `[${given.join(", ")}].${name}()`;
  }),
  // `t.points.rank(teams.points)`.
  rewrite(
    String.raw`^(?!\$)(${PATH})\.(${NAME})\.rank\(\s*(${PATH})\.\2\s*\)(?=\s*(?:::|$))`,
    ([, item, key, list]) => `1 + ${list}.count(${key} > ${item}.${key})`,
    "i",
  ),
  // `(net + vat):formatN(2)`.
  rewrite(
    String.raw`^(\(.+\))\s*(?<!:):(?!:)\s*formatN\(\s*(\d?)\s*\)$`,
    ([, value, decimals]) => `${value} :: number${decimals === "" ? "" : `(${decimals})`}`,
  ),
  // `list.sort(name :: desc)`.
  rewrite(
    String.raw`(?<=\.sort\([^()]*)\s*::\s*(asc|desc)(?:ending)?(?=\s*[,)])`,
    ([, direction]) => ` ${direction}`,
  ),
  // `date.lastMonth()`.
  rewrite(
    String.raw`(?<=[\p{L}\p{N}_)])\.(last|previous|next)(Month|Year|Week)\(\s*\)`,
    ([, which, unit = ""]) => {
      const sign = which === "next" ? "" : "-";
      return unit === "Week" ? `.addDays(${sign}7)` : `.add${unit}s(${sign}1)`;
    },
  ),
];

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

/** Whether an argument is a computation with spaces around its signs. A sign without spaces may be part of a name. */
function isComputed(text: string): boolean {
  return new Written(text).split(String.raw`\s*[-+*/]\s+`).length > 1;
}

/** Returns a value as an operand: a computation is in parentheses. */
function operand(value: string): string {
  const isSingle = new Written(value).split(String.raw`\s*[-+*/%]\s*|\s*\?\?\s*`).length === 1;
  return isSingle ? value : `(${value})`;
}

/** Returns the hint for the width of a column as a number; null for other tags. */
export function columnWidth(tag: Written): Wording | null {
  const [, size] = tag.match(String.raw`^column\s*::\s*width\(\s*(\d+(?:\.\d+)?)\s*\)$`) ?? [];
  if (size === undefined) return null;
  const share =
    Number(size) > 100
      ? ""
      : withTags` For a share of the table write {{column :: width("${size}%")}}.`;
  return withTags`A width has a unit, such as "3cm" or "30mm": write {{column :: width("3cm")}}.${share}`;
}
