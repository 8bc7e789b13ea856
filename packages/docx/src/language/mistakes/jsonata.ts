import { type Correction, rewrite } from "./rewrites.ts";
import { PATH, Written } from "./written.ts";

/** The forms of JSONata that this language writes with functions. */
export const OF_JSONATA: readonly Correction[] = [
  // `$sum(items.(price * qty))` and `items.(price * qty)`.
  rewrite(
    String.raw`\$?(sum|average|min|max)\(\s*(${PATH})\.\(([^()]*)\)\s*\)`,
    ([, name, list, computation]) => `${list}.${name}(${computation})`,
  ),
  rewrite(
    String.raw`(${PATH})\.\(([^()]+)\)`,
    ([, list, computation]) => `${list}.map(${computation})`,
  ),
  // `items^(>price)`.
  (tag) =>
    tag.replace(String.raw`(${PATH})\^\(([^()]+)\)`, ([, list, inside = ""]) => {
      const keys = new Written(inside).split(",");
      const isSigned = keys.some((key) => /^[<>]/.test(key));
      // Without a sign, it may be a power.
      if (!isSigned && tag.match(String.raw`^(?:for|tablerow|tablecolumn)\s`) === null) return null;
      const sorted = keys.map((key) => key.replace(/^<\s*/, "").replace(/^>\s*(.+)$/, "$1 desc"));
      return `${list}.sort(${sorted.join(", ")})`;
    }),
];
