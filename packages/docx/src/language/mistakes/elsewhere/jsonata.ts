import { type Correction, rewrite, START } from "../rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "../written.ts";

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
    String.raw`^\$(?:fromMillis\(\s*\$millis\(\)\s*(?:,\s*(${TEXT})\s*)?|now\(\s*(${TEXT})\s*)(?:,[^()]*)?\)$`,
    ([, one = "", other = ""]) => {
      const picture = one || other;
      if (picture === "") return "$now";
      const pattern = patternOfPicture(picture.slice(1, -1));
      if (pattern === null) return null;
      return `${/[Hhms]/.test(pattern) ? "$now" : "$today"} :: format("${pattern}")`;
    },
  ),
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

/** The fields of a date pattern by the components of JSONata's pictures. */
const COMPONENTS: Readonly<Record<string, string>> = {
  ...{ D: "d", D1: "d", D01: "dd", M: "M", M1: "M", M01: "MM", MNn: "MMMM", "MNn,3-3": "MMM" },
  ...{ Y: "yyyy", Y0001: "yyyy", "Y,2-2": "yy", FNn: "EEEE", H: "H", H01: "HH" },
  ...{ h: "h", m: "mm", m01: "mm", s: "ss", s01: "ss", P: "a" },
};

/** Returns the pattern for a picture such as `[D01].[M01].[Y0001]`; null for others. */
function patternOfPicture(picture: string): string | null {
  let isKnown = !/[A-Za-z]/.test(picture.replace(/\[[^\]]*\]/g, ""));
  const pattern = picture.replace(/\[([^\]]*)\]/g, (_whole, component: string) => {
    const field = COMPONENTS[component];
    isKnown &&= field !== undefined;
    return field ?? "";
  });
  return isKnown ? pattern : null;
}
