import { type Wording, withTags } from "../delimiters/wording.ts";
import { isModifier, LOOKS } from "../grammar/modifier-signatures.ts";
import { formattedItems } from "./arguments.ts";
import { innerWithoutList } from "./calls.ts";
import { innerHint } from "./inner-modifiers.ts";
import { countsNumbers, loopsOfLists } from "./loops.ts";
import { valuesBeside } from "./prefixes.ts";
import { conditionHint, slipHint } from "./slip-hints.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "./written.ts";

/** Returns a hint for a mistake that no other tag replaces, or null. */
export function otherHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
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
    if (tag.match(String.raw`=\s*0\s*;?$`) !== null)
      return withTags`A tag sets no variable. For the sum of a list write {{items.sum(price)}}.`;
    return withTags`A tag sets no variable. Write the computation where its result is printed, or give the result a name: {{for t in [a + b]}} … {{endfor}}.`;
  }
  if (tag.match(String.raw`^(?![A-Z]{2,}\s).*\(\s*\(?[^()]*\)?\s*(?:=>|->)`) !== null) {
    return "A function has no arrow: write the keys of the items directly, as in items.where(price > 10) or items.sort(price desc).";
  }
  if (tag.match(String.raw`\smatche?s\s+${TEXT}|=~|\.(?:matches|match|test)\(`) !== null) {
    return 'A condition has no patterns. Compare parts of the text: code.startsWith("A"), code.endsWith("Z"), code contains "-", and code.length() == 5.';
  }
  const [, named] =
    tag.match(String.raw`^(?!(?:if|elseif|for)\s)(${NAME})\s*:?=(?![=])\s*(?![=])[^=<>]+$`) ?? [];
  if (named !== undefined)
    return withTags`A tag sets no variable. Write the computation where its result is printed, or give the result a name: {{for ${named} in [${tag.text.replace(/^[^=]*=\s*/, "")}]}} … {{endfor}}.`;
  if (/^choose:?$/.test(tag.text))
    return withTags`Leave out this tag, and write {{if a > 1}} … {{elseif a > 0}} … {{else}} … {{endif}}.`;
  const [, choice] =
    tag.match(String.raw`^(?:switch|case)\s*\(?\s*(${PATH}|${TEXT}|\d+)\)?:?$`) ?? [];
  if (choice !== undefined) {
    const value = isPath(choice) ? choice : "status";
    return withTags`Write {{if ${value} == "a"}} … {{elseif ${value} == "b"}} … {{else}} … {{endif}}.`;
  }
  return (
    slipHint(tag, isValid) ??
    notHint(tag, isValid) ??
    itemHint(tag, isValid) ??
    modifierHint(tag, isValid) ??
    lookupHint(tag) ??
    listsHint(tag) ??
    formHint(tag, isValid) ??
    functionsHint(tag, isValid) ??
    valuesHint(tag, isValid) ??
    helperHint(tag) ??
    innerHint(tag) ??
    conditionHint(tag, isValid)
  );
}

/** `not member` and `not member :: checkbox`: the condition needs parentheses. */
function notHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, condition = "", modifiers] =
    tag.match(String.raw`^(not\s+[^:]+?)(?:\s*::\s*(.+))?$`) ??
    new Written(tag.text.replace(/^\$?(?:not|NOT)\(\s*([\p{L}\p{N}_.]+)\s*\)$/u, "not $1")).match(
      String.raw`^(not\s+\S+)$`,
    ) ??
    [];
  const negated = `(${condition}) :: ${modifiers || "checkbox"}`;
  if (condition === "" || !isValid(negated)) return null;
  return modifiers
    ? withTags`Put the condition into parentheses: {{${negated}}}.`
    : withTags`For a check box put the condition into parentheses: {{${negated}}}. To show text by it, write {{if ${condition}}} … {{endif}}.`;
}

/** `$exists(total)`, and `items[i, price > 3].name`, which need a block. */
function itemHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, value] = tag.match(String.raw`^\$?exists\(\s*(${PATH})\s*\)$`) ?? [];
  if (value !== undefined) return withTags`Write {{if ${value} isPresent}} … {{endif}}.`;
  const [, list, condition, key] =
    tag.match(String.raw`^(${PATH})\[\s*i?\s*,\s*([^\[\]]+)\]\.(${PATH})$`) ?? [];
  if (list === undefined || condition === undefined || key === undefined) return null;
  const loop = `for i in ${list}.where(${condition.trim()})`;
  return isValid(loop) ? withTags`Write {{${loop}}}{{i.${key}}}{{endfor}}.` : null;
}

/** `pluralize n "item" "items"`, and `eq a b`: a function or a condition in the form of a helper. */
function helperHint(tag: Written): Wording | null {
  const argument = String.raw`(?:${PATH}|-?\d+(?:\.\d+)?|${TEXT})`;
  const [, sign = "", one, other] =
    tag.match(String.raw`^(eq|ne|gt|lt|gte|lte)\s+(${argument})\s+(${argument})$`) ?? [];
  if (one !== undefined && other !== undefined)
    return withTags`Write {{if ${one} ${COMPARED[sign] ?? "=="} ${other}}} … {{endif}}.`;
  const [, name] =
    tag.match(`^(${NAME})(?:\\s+${argument})*\\s+${TEXT}(?:\\s+${argument})*$`) ?? [];
  if (name === undefined || /^(?:if|elseif|for|include|not)$/.test(name) || valueAndText(tag))
    return null;
  return withTags`There is no function '${name}' that is written this way: a function comes after its value and a dot, with its arguments in parentheses, as in {{name.replace("a", "b")}}.`;
}

const COMPARED: Readonly<Record<string, string>> = {
  ...{ eq: "==", ne: "!=", gt: ">", lt: "<", gte: ">=", lte: "<=" },
};

/** `total "EUR"` is a value and the text after it. */
function valueAndText(tag: Written): boolean {
  return tag.match(`^${PATH}\\s+${TEXT}$`) !== null;
}

/** `VLOOKUP(id; customers; 2)`: the item of another list. */
function lookupHint(tag: Written): Wording | null {
  const [, sought = "", list] =
    tag.match(
      String.raw`^=?\s*\$?[vxh]?lookup\(\s*(${PATH}|${TEXT}|\d+)\s*[;,]\s*(${PATH})\s*(?:[;,].*)?\)$`,
      "i",
    ) ?? [];
  if (list === undefined) return null;
  const found = (value: string): Wording => withTags`{{${list}.first(id == ${value}).name}}`;
  // In the parentheses, a name is a key of the items.
  const whole = /[."'\d]/.test(sought)
    ? found(sought)
    : withTags`{{for x in [${sought}]}}${found("x")}{{endfor}}`;
  return withTags`Look for an item of another list with first: ${whole}. Write keys of its items in place of 'id' and 'name'.`;
}

/** Returns the hint for a loop over several lists, or null. */
function listsHint(tag: Written): Wording | null {
  const loops = loopsOfLists(tag);
  if (loops === null) return null;
  const path = /\s(\S+,\S+)$/.exec(tag.text)?.[1]?.replace(/,/g, ".");
  const one = path === undefined ? "" : ` If '${path}' is one list, write its keys with points.`;
  return withTags`A loop repeats one list. Write a loop for each list: ${tags(loops)}.${one}`;
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
  if (/^(?:row|cell|paragraph)$/.test(value) && isValid(`if ${shown}`))
    return elementHint(value, shown);
  if (/^column$/i.test(value) && isValid(`if ${shown}`)) return columnHint(shown);
  if (/^column\s*::\s*(?:hide|hidden|show)$/i.test(tag.text)) return columnHint("condition");
  return value !== "" && isValid(`if ${shown}`) && isValid(value)
    ? withTags`A modifier does not hide anything. Write {{if ${shown}}}{{${value}}}{{endif}}.`
    : null;
}

/** `row :: hide, when(i.amount < 0)`: use a block around the row instead. */
function elementHint(element: string, shown: string): Wording {
  if (element !== "row")
    return withTags`A modifier does not hide anything. Put the content into {{if ${shown}}} … {{endif}}.`;
  const keys = shown.replace(/(?<![\p{L}\p{N}_.])(?:\p{Ll}|it|item|row|line)\.(?=[\p{L}_])/gu, "");
  const [, key, sign = "", value] = /^not \((\S+) ([<>]=?|[=!]=) (\S+)\)$/.exec(keys) ?? [];
  const opposite = OPPOSITES[sign];
  const condition = opposite === undefined ? keys : `${key} ${opposite} ${value}`;
  return withTags`A modifier does not hide a row. Repeat only the rows to show, as in {{tablerow i in items.where(${condition})}}.`;
}

/** `column :: hide, when(not shown)`. */
function columnHint(shown: string): Wording {
  return withTags`A modifier does not hide a column. Write {{tablecolumn if ${shown}}} in its top cell and {{endtablecolumn}} in its last cell.`;
}

const OPPOSITES: Readonly<Record<string, string>> = {
  ...{ "<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "==" },
};

/** Modifiers that are not where modifiers of a tag are: `when(total < 0)`, and `first :: uppercase() + last`. */
function modifierHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, condition = ""] = tag.match(String.raw`^when\((.+)\)$`) ?? [];
  const path = new Written(condition).match(`^(?:not\\s+)?(${PATH})`)?.[1] ?? "total";
  if (condition !== "" && isValid(`if ${condition}`))
    return withTags`'when' belongs to the tag with the look: {{${path} :: color("red"), when(${condition})}}.`;
  const [, included, test = ""] =
    tag.match(String.raw`^include\s+(${TEXT})\s*,?\s*(?:::\s*)?(?:when|if)\s*\(?(.+?)\)?$`) ?? [];
  if (included !== undefined && isValid(`if ${test}`))
    return withTags`Write {{if ${test}}}, {{include ${included}}} and {{endif}}, each in its own paragraph.`;
  const [, omitted] = tag.match(String.raw`^include\s+(${TEXT})\s*::\s*optional$`) ?? [];
  if (omitted !== undefined)
    return withTags`To include a template only sometimes, write {{if condition}}, {{include ${omitted}}} and {{endif}}, each in its own paragraph.`;
  const [, value, name = "", other = ""] =
    tag.match(
      String.raw`^(${PATH})\s*::\s*(uppercase|lowercase|trim)(?:\(\s*\))?\s*[+&]\s*(.+)$`,
    ) ?? [];
  const joined = `$concat(${value}.${name}(), ${other})`;
  if (value !== undefined && isValid(joined)) return withTags`Write {{${joined}}}.`;
  const [, whole = "", text] =
    tag.match(
      String.raw`^(.+::\s*${NAME}(?:\([^()]*\))?)\s+((?:per\s+)?${NAME}|[€$£%]|${TEXT})$`,
    ) ?? [];
  if (text !== undefined && !isModifier(text) && isValid(whole))
    return withTags`Write text after the tag: {{${whole}}} ${text.replace(/["']/g, "")}.`;
  const [, of, call] =
    tag.match(String.raw`^(.+?)\s*::\s*${NAME}(?:\([^()]*\))?\.(${NAME}\([^()]*\))$`) ?? [];
  const before = `${of}.${call}`;
  return of !== undefined && isValid(before)
    ? withTags`Functions come before modifiers, because modifiers work on the printed text: {{${before}}}.`
    : null;
}

/** Returns the hint for a tag with several values, or null. */
function valuesHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const parted = tag.split(String.raw`\s+`).filter((part) => part !== "");
  const areCalls = parted.length > 1 && parted.every((part) => /[.(]/.test(part));
  const beside = valuesBeside(tag) ?? (areCalls ? parted : null);
  if (beside?.every(isValid)) return withTags`Write each value in its own tag: ${tags(beside)}.`;
  const parts = tag.split(",");
  if (parts.length < 2 || !parts.slice(1).every((part) => isPath(part))) return null;
  if (/^(?:if|elseif)\s/.test(tag.text)) return "Join conditions with 'and' or 'or'.";
  if (!parts.every((part) => isPath(part) && isValid(part))) return null;
  const path = parts.join(".");
  return tag.text.replace(/,/g, ".") === path && isValid(path)
    ? withTags`If '${path}' is one value, write its keys with points, {{${path}}}. Write each of several values in its own tag: ${tags(parts)}.`
    : withTags`Write each value in its own tag: ${tags(parts)}.`;
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
  const before = elementBefore(tag, isValid);
  if (before !== null) return before;
  const [, value, element = "", look = ""] =
    tag.match(String.raw`^(.+?)\s*::\s*(cell|row|column|paragraph|shape)\s*,\s*(.+)$`) ?? [];
  const [, own, last = "", of = ""] =
    tag.match(String.raw`^(.+?)\s*::\s*(.+?)\s*,\s*(cell|row|column|paragraph|shape)$`) ?? [];
  if (own !== undefined && isValid(`${of} :: ${last}`))
    return withTags`Write two tags: {{${own}}}, and {{${of} :: ${last}}} next to it.`;
  return value === undefined
    ? null
    : withTags`Write two tags: {{${value}}}, and {{${element} :: ${look}}} next to it.`;
}

/** `cell total :: currency("EUR"), fill("red")`: one tag prints the value, and the other one changes the cell. */
function elementBefore(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, element = "", value = "", modifiers = ""] =
    tag.match(String.raw`^(cell|row|paragraph|shape)\s+(${PATH})\s*::\s*(.+)$`) ?? [];
  const all = new Written(modifiers).split(",");
  const isLook = (modifier: string): boolean =>
    new RegExp(String.raw`^(?:when|${LOOKS.join("|")})(?!\w)`).test(modifier);
  const looks = all.filter(isLook).join(", ");
  const others = all.filter((modifier) => !isLook(modifier)).join(", ");
  const [own, look] = [others === "" ? value : `${value} :: ${others}`, `${element} :: ${looks}`];
  return element === "" || looks === "" || !isValid(own) || !isValid(look)
    ? null
    : withTags`Write two tags: {{${own}}}, and {{${look}}} next to it.`;
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
  if (printed !== undefined) return isValid(printed) ? outside("", printed, after) : null;
  // A unit after the result of a function.
  const [, result, unit] =
    tag.match(String.raw`^([^:]+\))\s*(?!and\b|or\b|contains\b|in\b)(\p{L}+|[€$£%])$`) ?? [];
  return result !== undefined && isValid(result) ? outside("", result, `" ${unit}"`) : null;
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
