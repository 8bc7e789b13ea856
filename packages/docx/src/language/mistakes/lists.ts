import { FUNCTIONS, isFunction } from "../grammar/functions.ts";
import { functionMeant } from "../grammar/functions-elsewhere.ts";
import { NAME, PATH, TEXT, Written } from "./written.ts";

/**
 * Returns the name of a function that takes the same arguments, also of another language or in another case, without its
 * dollar sign, or null.
 */
export function functionNamed(name: string): string | null {
  if (isFunction(`$${name}`)) return name;
  if (OTHER_ARGUMENTS.test(name.replaceAll("_", ""))) return null;
  const folded = Object.keys(FUNCTIONS).find(
    (each) => each.toLowerCase() === `$${name.toLowerCase()}`,
  );
  return (folded ?? functionMeant(name))?.slice(1) ?? null;
}

/** Matches functions of other languages whose equivalents take other arguments. */
const OTHER_ARGUMENTS =
  /^(?:left|right|mid|slice|roundup|rounddown|ceil|floor|datediff|dateadd|diffd|add[dm]|zfill|lastday|find|prepend|selectattr|ternary|show|datesdiff|daysbetween)$/i;

/** Returns a tag with functions in place of the brackets of `items[0:2]`, `items[?paid]` or `items[*].name`. */
export function bracketsMeant(tag: Written): string | null {
  return (
    tag.replace(String.raw`\[\s*(\d*)\s*(:|\.\.)\s*(\d*)\s*\]`, ([, first, sign, last]) =>
      sliceOf(Number(first), last === "" ? null : Number(last), sign === ".."),
    ) ??
    tag.replace(String.raw`\.slice\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)`, ([, first, last = ""]) =>
      sliceOf(Number(first), last === "" ? null : Number(last), false),
    ) ??
    tag.replace(
      String.raw`\[\?\s*\(?\s*(?:@\.)?([^\[\]()]+?)\)?\s*\]`,
      ([, c]) => `.where(${c})`,
    ) ??
    tag.replace(
      String.raw`\[\s*\*?\s*\]\.(${PATH})(?![\p{L}\p{N}_(])`,
      ([, key]) => `.map(${key})`,
    ) ??
    tag.replace(String.raw`\[\s*\*\s*\]`, () => "") ??
    tag.replace(String.raw`\[\s*(${NAME}(?: ${NAME}){1,3})\s*\]`, ([, key = ""]) =>
      OPERATORS.test(key) ? null : `["${key}"]`,
    ) ??
    tag.replace(String.raw`\[-1\]`, () => ".last()") ??
    tag.replace(String.raw`\[-(\d+)\]`, ([, back]) => `.reverse()[${Number(back) - 1}]`)
  );
}

const OPERATORS =
  /(?:^|\s)(?:and|or|not|in|contains|isPresent|isEmpty|is|eq|asc|desc|if|where|of|then|to)(?:\s|$)/i;

/** An operator of a condition at the top level of a value. */
const OF_CONDITION = String.raw`[=!<>]+|&&|\|\||(?<![\p{L}\p{N}_$.])(?:and|or|not|in|contains|isPresent|isEmpty)(?![\p{L}\p{N}_$.(])`;

/** Returns a tag with `??` in place of `or` in a list, as in `[street or "–", city]` and `[street or place].join(", ")`. */
export function listedFallbacks(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`(?<=[\[,]\s*)(${PATH})\s*(?:\sor\s|\|\|)\s*(${TEXT})(?=\s*[\],])`,
      ([, value, other]) => `${value} ?? ${other}`,
    ) ??
    tag.replace(
      String.raw`(?<=[\[,]\s*)(${PATH})\s*(?:\sor\s|\|\|)\s*(${PATH})(?=\s*[\],].*\]\s*\.(?:join|nonEmpty)\()`,
      ([, value, other]) => `${value} ?? ${other}`,
    )
  );
}

/** Returns a tag with the conditions of a list in parentheses, as in `[true, (total > 0)]`. */
export function listedConditions(tag: Written): string | null {
  for (const [from, to] of tag.findAll(String.raw`(?<![\p{L}\p{N}_$)\]]|\bin\s*)\[`)) {
    const end = tag.closing(from);
    if (end === -1) continue;
    const values = new Written(tag.text.slice(to, end)).split(",");
    const meant = values.map((value) => (isCondition(value) ? `(${value})` : value));
    if (meant.some((value, at) => value !== values[at]))
      return `${tag.text.slice(0, to)}${meant.join(", ")}${tag.text.slice(end)}`;
  }
  return null;
}

/** Whether a text has an operator of a condition outside of its brackets. */
export function isCondition(text: string): boolean {
  return new Written(text).split(OF_CONDITION).length > 1;
}

/** Returns a sentence about a tag that {@link listedConditions} corrects. */
export function noteOnCondition(tag: Written, meant: string): string {
  return listedConditions(tag) === meant ? " A condition in brackets is in parentheses." : "";
}

/** `isInclusive`: whether the last index belongs to the slice. */
function sliceOf(first: number, last: number | null, isInclusive: boolean): string | null {
  const skip = first === 0 ? "" : `.skip(${first})`;
  if (last === null) return skip;
  const count = last - first + (isInclusive ? 1 : 0);
  return count < 1 ? null : `${skip}.limit(${count})`;
}

/** Returns the part of a text that `name[0:3]` means, as a call of `substring`; null for other tags. */
export function partOfText(tag: Written): string | null {
  const [, value, first, last] =
    tag.match(String.raw`^(${PATH})\[\s*(\d*)\s*:\s*(\d*)\s*\]$`) ??
    tag.match(String.raw`^(${PATH})\.slice\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)$`) ??
    [];
  if (value === undefined) return null;
  const count = last === "" ? "" : `, ${Number(last) - Number(first)}`;
  return `${value}.substring(${first || 0}${count})`;
}

/** Returns a tag with `desc` after the key, without quotes, in place of `sort("date", "desc")` and similar. */
export function sortMeant(tag: Written): string | null {
  return tag.replace(String.raw`(?<=[.$]|::.*)sort\(([^()]*)\)`, ([, inside = ""]) => {
    const keys: string[] = [];
    for (const part of new Written(inside).split(",")) {
      const key = part.replace(/^["'](.*)["']$/, "$1");
      const last = keys.at(-1);
      if (last !== undefined && key !== part && DIRECTION.test(key)) {
        keys[keys.length - 1] = `${last} ${directionOf(key)}`;
      } else {
        keys.push(sortKey(key.replace(/^(asc|desc)\s+(.+)$/i, "$2 $1")));
      }
    }
    const meant = keys.join(", ");
    return meant === inside ? null : `sort(${meant})`;
  });
}

const DIRECTION = /^(?:asc(?:ending)?|desc(?:ending)?|reversed?|down|up)$/i;

function directionOf(word: string): string {
  return /^(?:a|u)/i.test(word) ? "asc" : "desc";
}

/** Returns a key to sort by, with `asc` or `desc` for similar words. */
export function sortKey(key: string): string {
  return key.replace(
    /\s+(asc|desc)(?:ending)?(?=\s*(?:,|$))/gi,
    (_all, word: string) => ` ${word.toLowerCase()}`,
  );
}
