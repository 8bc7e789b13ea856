import { type Wording, withTags } from "../../delimiters/wording.ts";
import { functionNamed } from "../lists.ts";
import { type Correction, rewrite } from "../rewrites.ts";
import { NAME, PATH, type Written } from "../written.ts";

const FUNCTION = "sum|average|avg|min|max";
/** Arguments, with or without inner parentheses. */
const INSIDE = String.raw`[^()]*(?:\([^()]*\)[^()]*)*`;
const WORD = "where|if|when|with|having|for";

/** Conditions after a function of a list: `items.sum(price) where paid`. */
export const CLAUSES: readonly Correction[] = [
  rewrite(
    String.raw`^(${PATH})\.(${FUNCTION}|count)\((${INSIDE})\)\s+(${WORD})(?:\s+|(?=\())${condition()}`,
    ([, list = "", name, inside = "", word, test = ""]) => {
      const own = conditionAfter(word, test);
      if (own === null) return null;
      if (name === "count" && inside === "") return `${list}.count(${own})`;
      const [, of, key] = inside === "" ? (/^(.+)\.([^.]+)$/.exec(list) ?? []) : [];
      return of === undefined
        ? `${list}.where(${own}).${name}(${inside})`
        : `${of}.where(${own}).${name}(${key})`;
    },
  ),
  rewrite(
    String.raw`^\$?(${FUNCTION})\(\s*(${PATH})\.(${NAME})\s*\)\s+(${WORD})(?:\s+|(?=\())${condition()}`,
    ([, name = "", list, key, word, test]) => {
      const own = conditionAfter(word, test);
      return own === null ? null : `${list}.where(${own}).${functionNamed(name)}(${key})`;
    },
    "i",
  ),
];

/** Conditions that are written as `if when(overdue)`. */
export const WHEN: readonly Correction[] = [
  rewrite(
    String.raw`^(if|elseif)\s+when\s*\((${INSIDE})\)$`,
    ([, word, test]) => `${word} ${test}`,
  ),
  rewrite(String.raw`^(if|elseif)\s+when\s+(.+)$`, ([, word, test]) => `${word} ${test}`),
  rewrite(String.raw`^when\s+(.+)$`, ([, test]) => `if ${test}`),
];

/** Returns the hint for a condition after a value: `amount.when(overdue)`, `amount if overdue`; null for other tags. */
export function conditionBeside(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, value = "", call, word = call, enclosed = "", bare = ""] =
    tag.match(
      String.raw`^(${PATH}(?:\(${INSIDE}\))?)(?:(?:\.|\s*::\s*)(when)(?=\()|\s*,?\s+(if|when|unless|only\s+if))\s*(?:\((${INSIDE})\)|([^:]+))$`,
    ) ?? [];
  const test = enclosed || bare;
  const isSimple = !/\s|\(/.test(test);
  const own = word !== "unless" ? test : isSimple ? `not ${test}` : `not (${test})`;
  if (value === "" || !isValid(value) || !isValid(`if ${own}`)) return null;
  const shown = withTags`To show the value only sometimes, write {{if ${own}}}{{${value}}}{{endif}}.`;
  return word === "when" || call === "when"
    ? withTags`${shown} For its look write {{${value} :: color("red"), when(${own})}}.`
    : shown;
}

/** Matches the rest of a tag up to its modifiers. */
function condition(): string {
  return String.raw`([^:]+?)(?=\s*(?:::|$))`;
}

/** Returns a condition without its parentheses; null for a choice, and for words that may be no condition. */
function conditionAfter(word = "", test = ""): string | null {
  if (/\s(?:else|then)\s/.test(test)) return null;
  if (/^(?:for|with)$/.test(word) && !/[=<>]|\s(?:is|in|contains)\s/.test(test)) return null;
  return /^\(([^()]*)\)$/.exec(test)?.[1] ?? test;
}

/** Returns a sentence about a condition that may be meant for the whole tag: `items.sum(price) if paid`. */
export function noteOnClause(tag: Written): Wording {
  const [, value, test] =
    tag.match(
      String.raw`^(${PATH}\.(?:${FUNCTION}|count)\(${INSIDE}\))\s+(?:if|when)\s+([^:]+)$`,
    ) ?? [];
  return value === undefined || test === undefined || conditionAfter("if", test) === null
    ? ""
    : withTags` To show the result only sometimes, write {{if ${test}}}{{${value}}}{{endif}}.`;
}
