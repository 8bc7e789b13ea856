import { type Wording, withTags } from "../delimiters/wording.ts";
import { keyOfGroups } from "./inner-modifiers.ts";
import { otherSum } from "./list-calls.ts";
import { noteOnCondition, partOfText } from "./lists.ts";
import { nameOfPair } from "./loops.ts";
import { noteOnSlip } from "./slips.ts";
import { noteOnKey } from "./words-beside.ts";
import { NAME, PATH, TEXT, VALUE, type Written } from "./written.ts";

/** Returns another sentence about a corrected tag. */
export function noteOn(tag: Written, meant: string): Wording {
  const own = [
    noteOnKey(tag),
    noteOnRange(tag),
    noteOnSlip(tag, meant),
    noteOnSection(tag, meant),
    noteOnValue(tag, meant),
    noteOnCondition(tag, meant),
  ];
  return own.find((note) => note !== "") ?? noteOnForm(tag, meant);
}

/** `TableStart:items`: a section has an end. */
function noteOnSection(tag: Written, meant: string): Wording {
  return meant.startsWith("#") && !tag.text.startsWith("#")
    ? withTags` End it with {{/${meant.slice(1)}}}.`
    : "";
}

/** Returns a sentence about the form of the corrected tag. */
function noteOnForm(tag: Written, meant: string): Wording {
  const key = keyOfGroups(tag);
  if (key !== null) return withTags` To print the key of a group, write {{${key}}}.`;
  const [, first = "", last = ""] = tag.match(String.raw`^(${PATH})\s+or\s+(${VALUE})$`) ?? [];
  if (first !== "")
    return withTags` To replace an empty text as well, write {{$if(${first} isEmpty, ${last}, ${first})}}.`;
  const part = partOfText(tag);
  if (part !== null) return withTags` For a part of a text, write {{${part}}}.`;
  const other = otherSum(tag);
  if (other !== null) return other;
  const [, list, value] = tag.match(String.raw`(${PATH})\.includes\(\s*(${VALUE})\s*\)`) ?? [];
  if (list !== undefined) return ` For a key of the items, write ${value} in ${list}.name.`;
  const [, batched] = tag.match(String.raw`^\S+\s+(${NAME})\s+in\s.*\|\s*batch\(`) ?? [];
  if (batched !== undefined)
    return withTags` Each group has its items: write {{for x in ${batched}.items}} … {{endfor}} within it.`;
  if (/^for-each-group/.test(tag.text))
    return withTags` The key of a group is {{g.key}}, and its items are g.items.`;
  if (/^for-each@section/.test(tag.text))
    return withTags` For pages with their own header, end the loop with a section break between {{if not $last}} and {{endif}}.`;
  if (/current-group/.test(tag.text))
    return withTags` The groups have the name 'g' in {{for g in items.group(key)}}.`;
  if (/addWorkdays\([^()]*,/.test(tag.text))
    return " It leaves out Saturdays and Sundays, but knows no holidays: compute such a date before, and add it to the data.";
  if (/^\$concat\(/.test(meant) && !/OfYear\(/.test(tag.text))
    return " Or write the tags and the text next to each other.";
  if (/^#?include.*\swith\s/i.test(tag.text)) return " An included template has the same data.";
  if (meant.includes("$running(i.") && !tag.text.includes("i."))
    return " Write the name of the item of the loop in place of 'i'.";
  if (/^(?:else)?if\s[^()]*,/.test(tag.text) && meant.includes(" and "))
    return " If one of the conditions is enough, write 'or' in place of 'and'.";
  return noteOnPair(tag, meant);
}

/** `items.count("open")`, where the word may be a value of a key. */
function noteOnValue(tag: Written, meant: string): Wording {
  const [, name, text = ""] =
    tag.match(String.raw`\.(where|count|first|last)\(\s*(${TEXT})\s*\)`) ?? [];
  const word = text.slice(1, -1);
  return name !== undefined && meant.includes(`.${name}(`) && /^\p{L}[\p{L}\p{N}_.-]*$/u.test(word)
    ? ` If '${word}' is a value and not a key, compare a key with it, as in ${name}(status == "${word}").`
    : "";
}

/** `items.limit(2, 3)` may also mean the items 2 to 3. */
function noteOnRange(tag: Written): Wording {
  const [, from = "", to = ""] = tag.match(String.raw`\.limit\(\s*(\d+)\s*,\s*(\d+)\s*\)`) ?? [];
  const count = Number(to) - Number(from) + 1;
  return Number(from) > 0 && count > 0
    ? ` For the items ${from} to ${to} write skip(${Number(from) - 1}).limit(${count}).`
    : "";
}

/** `for city, list in sales.group(city)`: there is one name, for the item. */
function noteOnPair(tag: Written, meant: string): Wording {
  const item = nameOfPair(tag);
  if (item === null) return "";
  if (/\.group\(/.test(meant))
    return withTags` The value that a group has in common is {{${item}.key}}, and its list is ${item}.items.`;
  return meant.includes(".entries()")
    ? withTags` Its key is {{${item}.key}}, and its value is {{${item}.value}}.`
    : withTags` The position of an item is {{$number}}, from 1, or {{$index}}, from 0. For the keys and values of an object, write {{${meant}.entries()}}, with {{${item}.key}} and {{${item}.value}}.`;
}

/** `text.slice(0, 5)` and `name[0:3]`, of a value whose name is not the name of a list; null for other tags. */
export function sliceOfText(tag: Written, meant: string): Wording | null {
  const part = partOfText(tag);
  const [, value = ""] = tag.match(String.raw`^(${PATH})(?:\.slice\(|\[)`) ?? [];
  return part === null || /(?:s|list|data)$/i.test(value)
    ? null
    : withTags`Write {{${part}}}. For a part of a list, write {{${meant}}}.`;
}
