import { type Correction, rewrite, START } from "../rewrites.ts";
import { NAME, PATH, VALUE, Written } from "../written.ts";

/** The forms of JSONata that this language writes with functions. */
export const OF_JSONATA: readonly Correction[] = [
  rewrite(
    String.raw`\s*~>\s*\$?(${NAME})(\(|(?![\p{L}\p{N}_(]))`,
    ([, name, opened]) => `.${name}${opened === "" ? "()" : "("}`,
  ),
  rewrite(
    String.raw`${START}\$(?:string|number)\(\s*(${VALUE})\s*\)`,
    ([, value]) => value ?? null,
  ),
  rewrite(String.raw`${START}\$not\(\s*(${PATH})\s*\)`, ([, value]) => `not ${value}`),
  rewrite(String.raw`${START}\$exists\(\s*(${PATH})\s*\)`, ([, value]) => `${value} isPresent`),
  rewrite(
    String.raw`${START}\$fromMillis\(\s*(${VALUE})\s*(?:,[^()]*)?\)`,
    ([, value]) => `$fromUnix(${value}, "ms")`,
  ),
  // `$sum(items.(price * qty))` and `items.(price * qty)`.
  rewrite(
    String.raw`\$?(sum|average|min|max)\(\s*(${PATH})\.\(([^()]*)\)\s*\)`,
    ([, name, list, computation]) => `${list}.${name}(${computation})`,
  ),
  rewrite(
    String.raw`(${PATH})\.\(([^()]+)\)`,
    ([, list, computation]) => `${list}.map(${computation})`,
  ),
  rewrite(
    String.raw`${START}\$substring(Before|After)\(\s*(${PATH})\s*,\s*(${VALUE})\s*\)`,
    ([, side, text, sign]) =>
      `${text}.split(${sign})${side === "Before" ? "[0]" : `.skip(1).join(${sign})`}`,
  ),
  // `items^(>price)`.
  (tag) =>
    tag.replace(
      String.raw`(${PATH})\^\(([^()]+)\)(\.${NAME})?`,
      ([, list, inside = "", key = ""]) => {
        const keys = new Written(inside).split(",");
        const isSigned = keys.some((each) => /^[<>]/.test(each));
        const isInLoop = tag.match(String.raw`^(?:for|tablerow|tablecolumn)\s`) !== null;
        // Without a sign and a key, it may be a power.
        if (!isSigned && !isInLoop && key === "") return null;
        const sorted = keys.map((each) =>
          each.replace(/^<\s*/, "").replace(/^>\s*(.+)$/, "$1 desc"),
        );
        return `${list}.sort(${sorted.join(", ")})${key}`;
      },
    ),
];
