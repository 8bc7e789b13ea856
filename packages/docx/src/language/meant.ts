import { argumentsMeant, formattedItems, quotedCondition } from "./mistakes/arguments.ts";
import {
  type CallWithoutList,
  callMeant,
  callWithoutList,
  innerWithoutList,
} from "./mistakes/calls.ts";
import { choiceMeant } from "./mistakes/choices.ts";
import { conditionMeant } from "./mistakes/conditions.ts";
import { includeMeant } from "./mistakes/includes.ts";
import { INNER_MODIFIERS, innerHint, patternOfGroups } from "./mistakes/inner-modifiers.ts";
import { OF_JSONATA } from "./mistakes/jsonata.ts";
import { arrowMeant, bracketsMeant, partOfText, pipesMeant, sortMeant } from "./mistakes/lists.ts";
import { lookMeant } from "./mistakes/looks.ts";
import { countsNumbers, loopsOfLists, nameOfPair, repetitionMeant } from "./mistakes/loops.ts";
import { OTHER_FUNCTIONS } from "./mistakes/other-functions.ts";
import { OTHER_MODIFIERS } from "./mistakes/other-modifiers.ts";
import { withOwnPatterns } from "./mistakes/other-patterns.ts";
import { OTHER_TAGS } from "./mistakes/other-tags.ts";
import { prefixMeant, valuesBeside } from "./mistakes/prefixes.ts";
import type { Correction } from "./mistakes/rewrites.ts";
import { fallbackMeant, joinMeant, operatorMeant } from "./mistakes/texts.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "./mistakes/written.ts";
import { type Wording, withTags } from "./wording.ts";

/** Separates arguments in the spreadsheets of many countries. */
const SEMICOLON = String.raw`(?<=\([^)]*);(?=[^(]*\))`;

/** Corrections of mistakes that another message explains better, but that a tag may have together with others. */
const SMALL: readonly Correction[] = [
  (tag) => tag.replace("(?<![=!<>])=(?:==)?(?![=<>])", () => "=="),
  (tag) => tag.replace("!==", () => "!="),
  (tag) => tag.replace("<>", () => "!="),
  (tag) => tag.replace("=<", () => "<="),
  (tag) => tag.replace(SEMICOLON, () => ","),
];

/** `=total`, `a?.b`, `1000€` and `customer::name`. */
function signsMeant(tag: Written): string | null {
  return (
    tag.replace(String.raw`^=\s*(?=.*[^=]$)`, () => "") ??
    tag.replace(String.raw`\?\.(?=[\p{L}_])`, () => ".") ??
    tag.replace(SEMICOLON, () => ",") ??
    tag.replace(String.raw`(?<=\d)\s*[€£¥$](?![\p{L}_])|[€£¥]\s*(?=\d)`, () => "") ??
    tag.replace(`^(${PATH})::(${NAME})$`, ([, path, key]) => `${path}.${key}`)
  );
}

const CORRECTIONS: readonly Correction[] = [
  ...OTHER_TAGS,
  ...OF_JSONATA,
  ...INNER_MODIFIERS,
  ...OTHER_FUNCTIONS,
  ...OTHER_MODIFIERS,
  arrowMeant,
  bracketsMeant,
  choiceMeant,
  repetitionMeant,
  pipesMeant,
  sortMeant,
  lookMeant,
  conditionMeant,
  includeMeant,
  quotedCondition,
  argumentsMeant,
  prefixMeant,
  callMeant,
  fallbackMeant,
  operatorMeant,
  joinMeant,
  signsMeant,
];

/** Longer tags are not quoted in a hint. */
const MAX_LENGTH = 120;
/** Maximum number of mistakes to correct in one tag. */
const MAX_MISTAKES = 4;

/**
 * Returns a hint with the whole tag as it was probably meant, for a tag with mistakes that come from other languages;
 * null if none is found. `isValid`: whether a text is the content of a valid tag.
 */
export function hintMeant(content: string, isValid: (text: string) => boolean): Wording | null {
  if (content.length > MAX_LENGTH) return null;
  const tag = new Written(straight(content));
  const call = callWithoutList(tag);
  if (call !== null) return listNeeded(call);
  for (const correct of CORRECTIONS) {
    const first = correct(tag);
    const valid = first === null ? null : corrected(first, isValid);
    const meant = valid === null ? null : withOwnPatterns(valid);
    if (meant !== null)
      return withTags`${wordOf(tag, meant)}Write {{${meant}}}.${noteOn(tag, meant)}`;
  }
  return otherHint(tag, isValid);
}

/** Returns a tag with straight quotes in place of those that Word types. */
function straight(content: string): string {
  return content.replace(/[“”„‟«»″]/g, '"').replace(/(?<!\p{L})[‘’‚‛]|[‘’‛](?!\p{L})/gu, "'");
}

/** Returns a hint for a mistake that no other tag replaces, or null. */
function otherHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  if (countsNumbers(tag)) {
    return withTags`A loop repeats a list. For the numbers from 1 to 3 write {{for n in $range(1, 3)}}.`;
  }
  if (
    tag.match(String.raw`^(?:set|let|var|const|assign|capture)\s+\$?${NAME}\s*:?=`, "i") !== null
  ) {
    const [, sum] = tag.match(String.raw`=\s*\$?${NAME}\s*\+\s*${NAME}\.(${NAME})\s*;?$`) ?? [];
    if (sum !== undefined) {
      return withTags`A tag sets no variable. For the sum of a list write {{items.sum(${sum})}}, and for the sum up to an item of a loop {{$running(i.${sum})}}.`;
    }
    return withTags`A tag sets no variable. Write the computation where its result is printed, or give the result a name: {{for t in [a + b]}} … {{endfor}}.`;
  }
  if (tag.match(String.raw`^(?![A-Z]{2,}\s).*\(\s*\(?[^()]*\)?\s*(?:=>|->)`) !== null) {
    return "A function has no arrow: write the keys of the items directly, as in items.where(price > 10) or items.sort(price desc).";
  }
  const [, choice] =
    tag.match(String.raw`^(?:switch|case)\s*\(?\s*(${PATH}|${TEXT}|\d+)\)?:?$`) ?? [];
  if (choice !== undefined) {
    const value = isPath(choice) ? choice : "status";
    return withTags`Write {{if ${value} == "a"}} … {{elseif ${value} == "b"}} … {{else}} … {{endif}}.`;
  }
  return (
    notHint(tag, isValid) ??
    lookupHint(tag) ??
    listsHint(tag) ??
    formHint(tag, isValid) ??
    functionsHint(tag, isValid) ??
    valuesHint(tag, isValid) ??
    innerHint(tag)
  );
}

/** `not member` and `not member :: checkbox`: the condition needs parentheses. */
function notHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, condition = "", modifiers] =
    tag.match(String.raw`^(not\s+[^:]+?)(?:\s*::\s*(.+))?$`) ?? [];
  const negated = `(${condition}) :: ${modifiers || "checkbox"}`;
  if (condition === "" || !isValid(negated)) return null;
  return modifiers
    ? withTags`Put the condition into parentheses: {{${negated}}}.`
    : withTags`For a check box put the condition into parentheses: {{${negated}}}. To show text by it, write {{if ${condition}}} … {{endif}}.`;
}

/** `VLOOKUP(id; customers; 2)`: the item of another list. */
function lookupHint(tag: Written): Wording | null {
  const [, sought = "", list] =
    tag.match(
      String.raw`^=?\s*\$?[vxh]?lookup\(\s*(${PATH})\s*[;,]\s*(${PATH})\s*(?:[;,].*)?\)$`,
      "i",
    ) ?? [];
  if (list === undefined) return null;
  const found = (value: string): Wording => withTags`{{${list}.first(id == ${value}).name}}`;
  // In the parentheses, a name is a key of the items.
  const whole = sought.includes(".")
    ? found(sought)
    : withTags`{{for x in [${sought}]}}${found("x")}{{endfor}}`;
  return withTags`Look for an item of another list with first: ${whole}. Write keys of its items in place of 'id' and 'name'.`;
}

/** Returns the hint for a loop over several lists, or null. */
function listsHint(tag: Written): Wording | null {
  const loops = loopsOfLists(tag);
  if (loops === null) return null;
  return withTags`A loop repeats one list. Write a loop for each list: ${tags(loops)}.`;
}

/** Returns the hint for functions and modifiers that another block or tag replaces, or null. */
function functionsHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const inner = innerWithoutList(tag);
  if (inner !== null) {
    return `Name the list of the items before the function, as in items.${inner}.`;
  }
  const loop = formattedItems(tag);
  if (loop !== null) {
    return withTags`Modifiers belong to the whole tag. Write {{for i in ${loop.list}}}{{${loop.value}}}{{endfor}}.`;
  }
  const [, value = "", hidden, condition = ""] =
    tag.match(
      String.raw`^(.+?)\s*::\s*(?:if|show|showIf|visible|(hide|hideIf))\s*(?:\(|,\s*when\()(.+)\)$`,
    ) ?? [];
  const negated = /^not\s+([^\s()]+)$/.exec(condition)?.[1] ?? `not (${condition})`;
  const shown = hidden === "" ? condition : negated;
  return value !== "" && isValid(`if ${shown}`) && isValid(value)
    ? withTags`A modifier does not hide anything. Write {{if ${shown}}}{{${value}}}{{endif}}.`
    : null;
}

/** Returns the hint for a tag with several values, or null. */
function valuesHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const beside = valuesBeside(tag);
  if (beside?.every(isValid)) return withTags`Write each value in its own tag: ${tags(beside)}.`;
  const parts = tag.split(",");
  if (parts.length < 2 || !parts.slice(1).every((part) => isPath(part))) return null;
  if (/^(?:if|elseif)\s/.test(tag.text)) return "Join conditions with 'and' or 'or'.";
  return parts.every((part) => isPath(part) && isValid(part))
    ? withTags`Write each value in its own tag: ${tags(parts)}.`
    : null;
}

/** Returns a hint for an operator that is not there, or for text and elements that belong in other tags. */
function formHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  if (tag.match(String.raw`[\p{L}\p{N}_)]\s*\*\*`) !== null)
    return "The language has no power operator. Write a function, as in side.power(2).";
  if (tag.match(String.raw`^${PATH}\s*(?:\+\+|[-+*]=)`) !== null) {
    return withTags`A tag changes no variable. For the position in a loop write {{$number}}, which counts from 1.`;
  }
  const around = textAround(tag, isValid);
  if (around !== null) return around;
  const [, value, element = "", look = ""] =
    tag.match(String.raw`^(.+?)\s*::\s*(cell|row|paragraph)\s*,\s*(.+)$`) ?? [];
  return value === undefined
    ? null
    : withTags`Write two tags: {{${value}}}, and {{${element} :: ${look}}} next to it.`;
}

/** `"Total: " total` and `$concat("EUR ", total :: number(2))`: the text belongs next to the tag. */
function textAround(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const modified = String.raw`${VALUE}(?:\s*::.*)?`;
  const [, text, value] =
    tag.match(String.raw`^(${TEXT})\s*(${modified})$`) ??
    tag.match(String.raw`^\$?concat\(\s*(${TEXT})\s*,\s*(${VALUE}\s*::.*)\)$`) ??
    [];
  if (value !== undefined) return isValid(value) ? outside(text, value) : null;
  const [, printed, after] = tag.match(String.raw`^(${VALUE})\s*(${TEXT})$`) ?? [];
  return printed === undefined || !isValid(printed) ? null : outside("", printed, after);
}

/** Returns the hint for text that belongs next to the tag. */
function outside(before = "", value = "", after = ""): Wording | null {
  const [first, last] = [before.slice(1, -1), after.slice(1, -1)];
  return `${first}${last}`.trim() === ""
    ? null
    : withTags`Write the text outside the tag: ${first}{{${value}}}${last}.`;
}

function isPath(text: string): boolean {
  return new Written(text).match(`^${PATH}$`) !== null;
}

function tags(contents: readonly string[]): Wording {
  return contents
    .map((each) => withTags`{{${each}}}`)
    .reduce((all, each) => withTags`${all}, ${each}`);
}

/** Corrects further mistakes of a tag. Returns null if the tag remains invalid. */
function corrected(text: string, isValid: (text: string) => boolean): string | null {
  let now = text;
  for (let more = 0; more < MAX_MISTAKES; more++) {
    if (isValid(now)) return now;
    const tag = new Written(now);
    const [next] = [...SMALL, ...CORRECTIONS]
      .map((correct) => correct(tag))
      .filter((each) => each !== null);
    if (next === undefined || next === now) return null;
    now = next;
  }
  return isValid(now) ? now : null;
}

/** Returns the hint for a function on a list that has no list. */
function listNeeded({ name, key, mayBeList }: CallWithoutList): Wording {
  const ofItems = withTags`{{items.${name}(${key})}}`;
  return mayBeList
    ? withTags`Name the list of the items: ${ofItems}. If '${key}' is a list itself, write {{${key}.${name}()}}.`
    : withTags`Name the list of the items, and then the key: ${ofItems}.`;
}

/** Names the keyword in place of another word, such as `foreach`. */
function wordOf({ text }: Written, meant: string): string {
  return meant.startsWith("for ") && !/^for\s/.test(text) ? "Did you mean 'for'? " : "";
}

/** Returns another sentence about a corrected tag. */
function noteOn(tag: Written, meant: string): Wording {
  const groups = patternOfGroups(tag);
  if (groups !== null) {
    return withTags` To print the key of a group, write {{${groups.group}.key :: format(${groups.pattern})}}.`;
  }
  const part = partOfText(tag);
  if (part !== null) return withTags` For a part of a text, write {{${part}}}.`;
  if (/^\$concat\(/.test(meant) && !/OfYear\(/.test(tag.text))
    return " Or write the tags and the text next to each other.";
  if (/^#?include.*\swith\s/i.test(tag.text)) return " An included template has the same data.";
  if (meant.includes("$running(i."))
    return " Write the name of the item of the loop in place of 'i'.";
  if (/^(?:else)?if\s[^()]*,/.test(tag.text) && meant.includes(" and "))
    return " If one of the conditions is enough, write 'or' in place of 'and'.";
  const item = nameOfPair(tag);
  if (item === null) return "";
  return meant.includes(".entries()")
    ? withTags` Its key is {{${item}.key}}, and its value is {{${item}.value}}.`
    : withTags` The position of an item is {{$number}}, from 1, or {{$index}}, from 0. For the keys and values of an object, write {{${meant}.entries()}}, with {{${item}.key}} and {{${item}.value}}.`;
}
