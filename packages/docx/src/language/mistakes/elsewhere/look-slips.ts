import { type Wording, withTags } from "../../delimiters/wording.ts";
import { isModifier } from "../../grammar/modifier-signatures.ts";
import { type Correction, rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT, VALUE, type Written } from "../written.ts";

/** Precedes a part of a condition. */
const IN_CONDITION = String.raw`(?<=^(?:else)?if\s.*|(?:when|bold|italic|underline|strike|where)\([^()]*)`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** Functions of dates and words after a date, in lowercase, with their comparison. */
const DATE_TESTS: Readonly<Record<string, string>> = {
  ...{ before: "<", after: ">" },
  ...{ ispast: "< $today", isoverdue: "< $today", isfuture: "> $today" },
};

/** Slips in the positions, conditions, pictures and looks of a tag. */
export const LOOK_SLIPS: readonly Correction[] = [
  // `merge :: item.floor`.
  rewrite(
    String.raw`^(merge|mergeAcross|bold|italic|underline|strike|uppercase|lowercase|qrcode|html)\s*::\s*(${PATH})$`,
    ([, modifier, path = ""]) => (isModifier(path) ? null : `${path} :: ${modifier}`),
  ),
  // `$number.letter` and `$number.roman()`.
  rewrite(
    String.raw`(\$number)\.(letter|roman|ordinal|words)(?![\p{L}\p{N}_]|\s*\()`,
    ([, position, name]) => `${position}.${name}()`,
  ),
  rewrite(String.raw`(\$(?:number|index))\(\s*\)`, ([, position = ""]) => position),
  // `when($number.odd())`.
  rewrite(
    String.raw`(\$number|\$index)\.(?:is)?(odd|even)(?:\(\s*\))?(?![\p{L}\p{N}_])`,
    ([, position, kind = ""]) => `${position} % 2 == ${/odd/i.test(kind) ? 1 : 0}`,
    "i",
  ),
  // `style("Heading " + (level + 1))`.
  rewrite(
    String.raw`(?<=::.*)(style|color|fill|link|width|height)\(\s*(${TEXT})\s*\+\s*\(([^()]*)\)\s*\)`,
    ([, name, text, value]) => `${name}($concat(${text}, ${value}))`,
  ),
  rewrite(String.raw`(?<=::.*)unless\(\s*([^()]*(?:\([^()]*\)[^()]*)*)\)`, ([, condition = ""]) =>
    new RegExp(`^${PATH}\\s*$`, "u").test(condition)
      ? `when(not ${condition.trim()})`
      : `when(not (${condition.trim()}))`,
  ),
  // `when(due.before($today))` and `when(due isPast)`.
  rewrite(
    String.raw`(${PATH})\.(before|after)\(\s*(${PATH}|${TEXT})\s*\)`,
    ([, date, name = "", other = ""]) =>
      /^["'](?!\d{4}-)/.test(other) ? null : `${date} ${DATE_TESTS[name]} ${other}`,
  ),
  rewrite(
    String.raw`(${PATH})(?:\s+(isPast|isFuture|isOverdue)(?![\p{L}\p{N}_(])|\.(isPast|isFuture|isOverdue)\(\s*\))`,
    ([, date, word = "", name = ""]) => `${date} ${DATE_TESTS[(word || name).toLowerCase()]}`,
    "i",
  ),
  // `when(amount > 500 & late)`.
  rewrite(String.raw`${IN_CONDITION}\s*(?<!&)&(?!&)\s*`, () => " and "),
  // `when(amount > 1,000)`.
  rewrite(
    String.raw`(?<=(?:when|bold|italic|underline|strike)\([^()]*[<>=]\s*)(\d{1,3}(?:,\d{3})+(?:\.\d+)?)(?![\d,.])`,
    ([, number = ""]) => number.replaceAll(",", ""),
  ),
  // `delimiter(", ", " and ")` and `link(title, "blue")`.
  rewrite(
    String.raw`(?<=::.*)delimiter\(\s*(${TEXT})\s*,\s*(${TEXT})\s*\)`,
    ([, between, last]) => `delimiter(${between}), lastdelimiter(${last})`,
  ),
  (tag) =>
    tag.replace(
      String.raw`(?<=::.*)link\(\s*(${VALUE})\s*,\s*(${TEXT})\s*\)`,
      ([, label, color = ""]) =>
        /^.(?:#[0-9a-f]{3,6}|red|blue|navy|green|black|gr[ae]y|orange|purple|teal).$/i.test(color)
          ? `link(${label}), color(${color})`
          : null,
    ),
  // Pictures.
  rewrite(
    String.raw`(?<=::.*)width\(\s*(${TEXT}|${NUMBER})\s*[x×*]\s*(${TEXT}|${NUMBER})\s*\)`,
    ([, width, height]) => `width(${width}), height(${height})`,
  ),
  rewrite(
    String.raw`(?<=::.*)max[_-]?(width|height)(?=\()`,
    ([, name = ""]) => name.toLowerCase(),
    "i",
  ),
  rewrite(String.raw`(?<=(?:::|,)\s*)strip_?(?:tags|html)(?:\(\s*\))?(?=\s*(?:,|$))`, () => "html"),
];

/** Returns the hint for a tag that is only a look, such as `color "red"`; null for other tags. */
export function lookAlone(tag: Written): Wording | null {
  const cell = cellMeant(tag.text);
  if (cell !== null) return withTags`Write {{${cell}}} into the cell.`;
  const [, element, path] =
    tag.match(String.raw`^(cell|row|paragraph|shape)\s+(${PATH}\.${NAME})$`) ?? [];
  if (element !== undefined)
    return withTags`Write {{${path ?? ""}}}. For the look of the ${element} write {{${element} :: fill("yellow")}} next to it.`;
  const [, name = "", value = ""] =
    tag.match(String.raw`^(color|fill|style)\s+(${TEXT})$`, "i") ?? [];
  return name === ""
    ? null
    : withTags`A look belongs to the tag of a value: {{name :: ${name.toLowerCase()}(${value})}}.`;
}

/** Returns the tag for `cellbg "FFE0E0"` and `colspan 2` of python-docx-template; null for other tags. */
export function cellMeant(text: string): string | null {
  const [, color] = /^cell_?bg(?:color)?\s+["'“”„«»](#?\w+)["'“”„«»]$/i.exec(text) ?? [];
  if (color !== undefined)
    return `cell :: fill("${/^(?:[0-9a-f]{3}){1,2}$/i.test(color) ? "#" : ""}${color}")`;
  const [, count] = /^colspan\s+(\d{1,2})$/i.exec(text) ?? [];
  return count === undefined ? null : `cell :: span(${count})`;
}
