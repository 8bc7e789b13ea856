import { type Wording, withTags } from "../../delimiters/wording.ts";
import { NAME, PATH, TEXT, VALUE, type Written } from "../written.ts";

/** Units of amounts, which authors write next to a value. */
const UNIT =
  /^(?:kg|mg|g|t|km|cm|mm|m|ml|cl|hl|l|L|ha|kWh|kW|Wh|W|min|h|pcs|pc|Stk|Stück|m²|m³|m2|m3|°C|°F)$/;
/** Keywords and the like: before another word, they do not name a value. */
const NO_VALUE =
  /^(?:if|elseif|elif|else|for|not|include|unless|each|foreach|case|switch|when|with|print|echo|show|let|set|end\w*|r|p|tr|tc|number|currency|qrcode|barcode|image|checkbox)$/i;
const COLOR = "red|green|blue|orange|yellow|gr[ae]y|white|black|purple";

/** Returns a hint for a use that no single tag replaces, or null. Such a hint is better than any corrected tag. */
export function officeHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  return (
    besideHint(tag, isValid) ??
    unitHint(tag, isValid) ??
    percentHint(tag, isValid) ??
    colorHint(tag) ??
    orderHint(tag, isValid) ??
    partHint(tag, isValid) ??
    wordsHint(tag, isValid)
  );
}

/** `total :: number(2), suffix(" CHF")`: text belongs next to the tag. */
function besideHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, value = "", inner = "", name = "", text = "", more = ""] =
    tag.match(
      String.raw`^([^:]+?)\s*::\s*((?:[^:]*,\s*)?)(suffix|postfix|append|unit|prefix|prepend)\(\s*(${TEXT})\s*\)\s*((?:,.*)?)$`,
      "i",
    ) ?? [];
  const modifiers = `${inner}${more.slice(1).trim()}`.replace(/,\s*$/, "");
  const rest = modifiers === "" ? value : `${value} :: ${modifiers}`;
  if (value === "" || !isValid(rest)) return null;
  const written = text.slice(1, -1);
  if (/^pre/i.test(name)) return withTags`Write the text before the tag: ${written}{{${rest}}}`;
  const isJoined = name.toLowerCase() !== "unit" || /^\s/.test(written);
  return withTags`Write the text after the tag: {{${rest}}}${isJoined ? "" : " "}${written}`;
}

/** `size kg` and `size "kg"`. */
function unitHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, value = "", quoted = "", bare = ""] =
    tag.match(String.raw`^(${PATH})\s+(?:(${TEXT})|(\S+))$`) ?? [];
  const unit = bare || quoted.slice(1, -1).trim();
  if (value === "" || NO_VALUE.test(value) || !UNIT.test(unit)) return null;
  const isShort = bare !== "" && unit.length === 1;
  if ((isShort && !value.includes(".")) || !isValid(value)) return null;
  const beside = withTags`Write the unit after the tag: {{${value}}} ${unit}`;
  const [, parent = "", last = ""] = /^(?:(.+)\.)?([^.]+)$/.exec(value) ?? [];
  const key = `${parent || "this"}["${last} ${unit}"]`;
  return bare === "" || !isValid(key)
    ? beside
    : withTags`${beside}. For a key with a space write {{${key}}}, and for a key of '${value}' {{${value}.${unit}}}.`;
}

/** `rate %`. */
function percentHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, value = ""] = tag.match(String.raw`^(${PATH})\s*%$`) ?? [];
  return value === "" || !isValid(value)
    ? null
    : withTags`For a share such as 0.25 write {{${value} :: percent}}, and for a number such as 25 write {{${value}}}%.`;
}

/** `color red`, which is meant for the tags behind it. */
function colorHint(tag: Written): Wording | null {
  const [, look = "", color = ""] =
    tag.match(String.raw`^(colou?r|fill|background)\s*[\s:=]\s*(${COLOR})$`, "i") ?? [];
  if (look === "") return null;
  const modifier = `${/^c/i.test(look) ? "color" : "fill"}("${color.toLowerCase()}")`;
  return withTags`A look belongs to the tag of a value: {{name :: ${modifier}}}. For a look with a condition write {{name :: ${modifier}, when(late)}}, without {{if late}} before it.`;
}

/** `date.isBefore($today)` as the whole tag. */
function orderHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, one = "", order = "", other = ""] =
    tag.match(String.raw`^(\$?${PATH})\.is(Before|After)\(\s*(${VALUE})\s*\)$`) ?? [];
  const condition = `if ${one} ${order === "Before" ? "<" : ">"} ${other}`;
  return one === "" || !isValid(condition)
    ? null
    : withTags`Write {{${condition}}} … {{endif}}. To print one of two texts, write {{$${condition.replace(/^if (.*)$/s, 'if($1, "yes", "no")')}}}.`;
}

/** `name.find(" ")`: the place of a sign in a text. */
function partHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, value = "", sign = ""] =
    tag.match(String.raw`^(${PATH})\.(?:find|search|locate)\(\s*(${TEXT})\s*\)$`) ?? [];
  return value === "" || !/^.[^\p{L}\p{N}]{1,3}.$/u.test(sign) || !isValid(value)
    ? null
    : withTags`For the text before the sign write {{${value}.split(${sign}).first()}}, and for the text after it {{${value}.split(${sign}).last()}}. To ask for the sign write {{if ${value} contains ${sign}}} … {{endif}}.`;
}

/** `total :: currency("CHF"), words`: an amount in words, with its cents in digits. */
function wordsHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, value = ""] =
    tag.match(
      String.raw`^(${PATH})\s*::\s*(?:currency|number)(?:\([^()]*\))?\s*,\s*words(?:\(\s*\))?$`,
    ) ?? [];
  return value === "" || !isValid(value)
    ? null
    : withTags`Write {{${value}.round(2).round(0, "down").words()}} and the name of the currency after it, and for the cents {{${value}.round(2) % 1 * 100 :: number("00")}}.`;
}

/** Returns a sentence about the text that `where(late = no)` may mean, or an empty text. */
export function noteOnAnswer(tag: Written): Wording {
  const [, word = ""] =
    tag.match(String.raw`(?<![=!<>])=\s*(yes|no)(?=\s*(?:\)|$|and\s|or\s|::))`, "i") ?? [];
  return word === "" ? "" : ` If the value is text, compare it with the text: == "${word}".`;
}

/** The name of a value that is the language of a document. */
export const LANGUAGE = String.raw`(?:${NAME}\.)*(?:lang|language|locale|culture)`;
