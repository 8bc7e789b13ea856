import { FUNCTIONS, type FunctionSignature, isFunction } from "../../grammar/functions.ts";
import { type Correction, rewrite, START } from "../rewrites.ts";
import { NAME, PATH, TEXT, Written } from "../written.ts";

const CONSTANT = String.raw`(?:-?\d+|${TEXT})`;

/** Expressions of JavaScript that this language writes with functions. */
export const OF_JAVASCRIPT: readonly Correction[] = [
  templateLiteral,
  rewrite(
    String.raw`${START}new\s+Date\(\s*\)(\.get(?:FullYear|Month|Date)\(\s*\))?`,
    ([, part = ""]) => `$today${partOf(part)}`,
  ),
  rewrite(String.raw`${START}Date\.now\(\s*\)`, () => "$now"),
  rewrite(String.raw`\.get(FullYear|Month|Date)\(\s*\)`, ([, part]) => partOf(`.get${part}`)),
  rewrite(
    String.raw`${START}Math\.(max|min)\(\s*\.\.\.\s*(${PATH})\.map\(([^()]*)\)\s*\)`,
    ([, name, list, key]) => `${list}.${name}(${key})`,
  ),
  rewrite(
    String.raw`${START}Math\.(max|min)\(\s*\.\.\.\s*(${PATH})\s*\)`,
    ([, name, list]) => `${list}.${name}()`,
  ),
  // The keys and values of an object.
  rewrite(
    String.raw`${START}Object\.(keys|values|entries)\(\s*(${PATH})\s*\)(\.(?:length|size)(?![\p{L}(]))?`,
    ([all = "", what = "", object, size], tag) => {
      const before = tag.text.split(all, 1)[0] ?? "";
      const isLoop = /^(?:for|tablerow|tablecolumn)\s.*\sin\s+$/.test(before);
      if (size !== "") return `${object}.entries().count()`;
      return isLoop || what === "entries"
        ? `${object}.entries()`
        : `${object}.entries().map(${what === "keys" ? "key" : "value"})`;
    },
  ),
  rewrite(
    String.raw`(${PATH})\?\.(?:length|size)(?![\p{L}\p{N}_(])`,
    ([, value = ""]) => `${value}.${value.endsWith("s") ? "count" : "length"}()`,
  ),
  rewrite(String.raw`\.slice\(\s*\)`, () => ""),
  // A pattern of plain text.
  (tag) => {
    const [, before, pattern, after] =
      /^(.*\.replace(?:All)?\(\s*)\/((?:[^/\\[\](){}.*+?^$|]|\\[^dDsSwWbB])+)\/[gimsuy]*(\s*,.*)$/.exec(
        tag.text,
      ) ?? [];
    return pattern === undefined ? null : `${before}"${pattern.replace(/\\(.)/g, "$1")}"${after}`;
  },
  // A text several times.
  rewrite(
    String.raw`(?:${START}\$?repeat\(\s*(${TEXT})\s*,\s*([\p{L}\p{N}_.]+)\s*\)|(${TEXT})\.repeat\(\s*([\p{L}\p{N}_.]+)\s*\))`,
    ([, one = "", count, other = "", times]) =>
      (one || other).length === 3 ? `"".padEnd(${count || times}, ${one || other})` : null,
  ),
  rewrite(String.raw`(${PATH}|${TEXT})\.repeat\(\s*([2-5])\s*\)`, ([, value, times]) => {
    return `$concat(${Array.from({ length: Number(times) }, () => value).join(", ")})`;
  }),
  // A function of each value.
  rewrite(
    String.raw`\.(map|sort|group|distinct|where|count|first|last)\(\s*(${NAME})\(\s*((?:${CONSTANT}(?:\s*,\s*${CONSTANT})*)?)\s*\)(\s+(?:asc|desc))?\s*\)`,
    ([, name, inner = "", given = "", order]) =>
      isOfValues(inner, given) ? `.${name}(this.${inner}(${given})${order})` : null,
  ),
];

/** Returns the function for a part of the date of today. */
function partOf(method: string): string {
  const [, part = ""] = /^\.get(FullYear|Month|Date)/.exec(method) ?? [];
  return { FullYear: ".year()", Month: ".month()", Date: ".day()" }[part] ?? "";
}

/** Whether a function computes with one value, and takes these arguments besides. */
function isOfValues(name: string, given: string): boolean {
  const full = `$${name}`;
  if (!isFunction(full) || !/^(?:text|number|date|value)$/.test(FUNCTIONS[full].of)) return false;
  const { required, parameters, repeats }: FunctionSignature = FUNCTIONS[full];
  const count = given === "" ? 0 : new Written(given).split(",").length;
  return count >= required && (repeats || count <= parameters.length);
}

/** `${first} ${last}` between backquotes, alone or within a call. */
function templateLiteral(tag: Written): string | null {
  const [all = "", inside = ""] = /`([^`"]*\$\{[^`"]*)`/.exec(tag.text) ?? [];
  if (all === "") return null;
  const parts = inside
    .split(/\$\{([^{}]*)\}/)
    .map((part, at) => (at % 2 === 0 ? `"${part}"` : part.trim()));
  const given = parts.filter((part) => part !== '""' && part !== "");
  return tag.text.replace(all, () => `$concat(${given.join(", ")})`);
}
