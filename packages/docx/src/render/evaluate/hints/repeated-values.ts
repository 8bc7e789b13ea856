import { kindOf } from "../../../format/print.ts";
import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import {
  type Expression,
  isPlainName,
  type PathExpression,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { Group } from "../context/origins.ts";
import { separatorIn, splitAt } from "./parts-of-text.ts";

/** Returns the hint for a loop over an object in place of a list. `source`: the object as the tag names it. */
function objectRepeated(value: unknown, source: string): Wording {
  const keys = Object.keys(value ?? {}).filter(isPlainName);
  const lists = keys.filter((each) => {
    return Array.isArray(Object.getOwnPropertyDescriptor(value, each)?.value);
  });
  const [list, other] = lists;
  if (list !== undefined && other !== undefined) {
    return withTags`It has the lists '${list}' and '${other}': repeat one of them, as in ${source}.${list}, or all of them: {{for k in ${source}.entries()}}{{for i in k.value}} … {{endfor}}{{endfor}}. The name of a list is {{k.key}}.`;
  }
  if (list !== undefined) return `It has the list '${list}': repeat ${source}.${list}.`;
  const key = keys[0] ?? "name";
  return withTags`For the one object leave out the loop, and write {{${source}.${key}}}. To keep the loop, give a list: [ … ], or write [${source}]. For the keys and values of the object repeat ${source}.entries().`;
}

/** Returns the hint for a value that a block cannot repeat. `source`: the path that the value comes from. */
export function hintForList(value: unknown, source: string, shape: Expression | null): Wording {
  if (shape?.kind === "call" && /^\$(?:first|last)$/.test(shape.name)) return ofOneItem(shape.name);
  if (typeof value === "string") return ofText(value, shape === null ? source : null);
  if (value instanceof Group) return `The items of a group are its 'items': ${source}.items.`;
  if (kindOf(value) === "number") {
    return `Give a list: [ … ], or repeat the block a number of times: $range(${source}).`;
  }
  return kindOf(value) === "object"
    ? objectRepeated(value, shape === null ? source : spellExpression(shape))
    : "Give a list: [ … ].";
}

/** `for i in items.first()`. */
function ofOneItem(name: string): string {
  return name === "$first"
    ? "'first' gives one item. To repeat it, write limit(1) in its place; to print it, no loop is needed: items.first().name."
    : "'last' gives one item. To repeat it, write reverse().limit(1) in its place; to print it, no loop is needed: items.last().name.";
}

/** Returns the hint for text in place of a list. It does not quote the text. */
function ofText(text: string, source: string | null): Wording {
  if (text.trim() === "" && source !== null) {
    return withTags`The text is empty. Write {{if ${source}}} … {{endif}} around the block, or give an empty list: [].`;
  }
  if (/^\s*[[{]/.test(text)) {
    return "The data has the list as text in quotes. Give the list itself: [ … ].";
  }
  const separator = separatorIn(text);
  return separator === null || source === null
    ? "Give a list: [ … ]."
    : `Give a list: [ … ], or repeat the parts of the text: ${splitAt(separator, source)}.`;
}

/** The text in place of a missing list: `docs ?? "none"`, or `docs ?? ["none"]`, which is a key of the data. */
export interface RepeatedFallback {
  /** The key. Null for a text. */
  readonly key: PathExpression | null;
  readonly hint: string;
}

/** Returns the text in place of a missing list that a block repeats; null for other lists. */
export function repeatedFallback(shape: Expression | null): RepeatedFallback | null {
  if (shape?.kind !== "fallback") return null;
  const { left, right } = shape;
  const list = (text: string): string => `${spellExpression(left)} ?? [${text},]`;
  if (right.kind === "literal" && typeof right.value === "string") {
    const meant = list(spellExpression(right));
    return { key: null, hint: `Make a list of the text, with a comma in it: write ${meant}.` };
  }
  const text = right.kind === "path" ? /^\[(".*"|'.*')\]$/.exec(right.source)?.[1] : undefined;
  if (right.kind !== "path" || text === undefined) return null;
  return {
    key: right,
    hint: `[${text}] is a key of the data. For a list with this text write a comma in it: ${list(text)}.`,
  };
}
