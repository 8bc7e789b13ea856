import { functionNamed } from "../lists.ts";
import type { Correction } from "../rewrites.ts";
import { rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT } from "../written.ts";

const STEPS = String.raw`(?:\.\/+|\/+)?(${NAME}(?:\/${NAME})*)`;

/** Tags of Oracle BI Publisher, which have the functions and paths of XSLT. */
export const OF_PUBLISHER: readonly Correction[] = [
  rewrite(String.raw`^(?:xdoxslt|xdofx|xdoxsl|fn):(?=\S)`, () => ""),
  rewrite(
    String.raw`^for-each-group(?:@\w+)?:\s*${STEPS}\s*;\s*${STEPS}$`,
    ([, list = "", key = ""]) => `for g in ${dotted(list)}.group(${dotted(key)})`,
  ),
  rewrite(String.raw`^for-each(?:@\w+)?:\s*(?:current-group\(\s*\)|${STEPS})$`, ([, list = ""]) =>
    list === "" ? "for i in g.items" : `for i in ${dotted(list)}`,
  ),
  rewrite(String.raw`^end\s+(?:for-each(?:-group)?|(choose))$`, ([, choice]) =>
    choice === "" ? "endfor" : "endif",
  ),
  rewrite(String.raw`^(?:when|if):\s*(\S.*)$`, ([, condition]) => `if ${condition}`),
  rewrite("^otherwise:?$", () => "else"),
  rewrite(
    String.raw`(?<![\p{L}\p{N}_$.])(sum|avg|count|min|max)\(\s*(?:current-group\(\s*\)|${STEPS})\s*\/\s*(${NAME})\s*\)`,
    ([, name = "", list = "", key]) => {
      const of = list === "" ? "g.items" : dotted(list);
      const known = functionNamed(name);
      return known === "count" ? `${of}.count()` : `${of}.${known}(${key})`;
    },
  ),
  rewrite(
    String.raw`(?<![\p{L}\p{N}_$.])count\(\s*current-group\(\s*\)\s*\)`,
    () => "g.items.count()",
  ),
  rewrite(
    String.raw`^format-(number|currency|date):?\(?\s*(${PATH})\s*[;,]\s*(${TEXT})\s*(?:[;,].*)?\)?$`,
    ([, kind, value, text]) => `${value} :: ${kind === "date" ? "format" : (kind ?? "")}(${text})`,
  ),
  rewrite(String.raw`(?<![\p{L}\p{N}_$.])position\(\s*\)\s*==?\s*last\(\s*\)`, () => "$last"),
  rewrite(String.raw`(?<![\p{L}\p{N}_$.])position\(\s*\)`, () => "$number"),
];

/** Returns the steps of an XPath as a path: `order/items` is `order.items`. */
function dotted(steps: string): string {
  return steps.replaceAll("/", ".");
}
