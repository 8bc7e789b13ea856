import { type FunctionName, parameterOf } from "../../grammar/functions.ts";
import { functionNamed } from "../lists.ts";
import { rewriteCall, type WrittenCall } from "../read-calls.ts";
import type { Correction } from "../rewrites.ts";
import { NAME, PATH, Written } from "../written.ts";

/** A function that is written as an argument, such as `i => i.paid`. */
interface Arrow {
  /** The names of its parameters. */
  readonly names: readonly string[];
  readonly body: Written;
}

const SIGNS = String.raw`(?:=>|->|:(?!:)|\|(?!\|))`;

/** Reads `i => i.paid`, `(a, b) -> …`, `lambda i: …`, `i | …` and `function($i) { … }`; null for other arguments. */
function arrowOf(text: string): Arrow | null {
  const argument = new Written(text);
  const [, listed = "", block] =
    argument.match(
      String.raw`^function\s*\(([^()]*)\)\s*\{\s*(?:return\s+)?(.*?)\s*(?:;\s*)?\}?$`,
    ) ?? [];
  const [, enclosed = "", bare = "", inside] =
    argument.match(
      String.raw`^(?:lambda\s+)?(?:\(([^()]*)\)|(${NAME}(?:\s*,\s*${NAME})*))\s*${SIGNS}\s*(.+)$`,
    ) ?? [];
  const body = block ?? inside?.replace(/^\{\s*(?:return\s+)?(.*?)\s*;?\s*\}$/, "$1");
  if (body === undefined || body === "") return null;
  const names = (listed || enclosed || bare).split(",").map((name) => name.trim());
  if (names.includes("")) return null;
  // `a | b` and `a: b` are functions only if they use their parameter.
  const isUsed = /=>|->|^function/.test(text) || names.some((name) => body.includes(name));
  return isUsed ? { names, body: new Written(body) } : null;
}

/** Returns a tag without the functions of `where(i => i.paid)`: the functions here name the keys of the items directly. */
export const OF_ARROWS: readonly Correction[] = [
  // `$filter(items, function($i) { … })` comes after the list here, as `items.filter(…)` does.
  rewriteCall(({ name, isMethod, given: [list, argument, ...more] }) => {
    if (isMethod || list === undefined || argument === undefined || !takesArrow(name)) return null;
    const isArrow = new Written(list).match(`^${PATH}(?:\\(\\))?$`) !== null;
    return isArrow && arrowOf(argument) !== null
      ? `${list}.${name}(${[argument, ...more].join(", ")})`
      : null;
  }),
  rewriteCall(callMeant),
  rewriteCall(ofEach),
  // Conditions about some or all items, without an arrow.
  rewriteCall(({ name, isMethod, given: [condition, ...more] }) => {
    if (!isMethod || condition === undefined || more.length > 0) return null;
    return arrowOf(condition) === null ? tested(name, condition) : null;
  }),
];

function callMeant(call: WrittenCall): string | null {
  const { name, isMethod } = call;
  const [written = "", ...others] = joinedArguments(call);
  const arrow = arrowOf(written);
  if (!isMethod || arrow === null || !takesArrow(name)) return null;
  const [first = "", second] = arrow.names;
  if (/^reduce$/i.test(name)) {
    return second === undefined ? null : folded(arrow);
  }
  if (functionNamed(name) === "sort" && second !== undefined) {
    const key = keyOf(arrow);
    return key === null ? null : `sort(${key})`;
  }
  const body = withoutItem(arrow.body, first);
  const test = tested(name, body);
  if (test !== null) return test;
  const known = /^find$/i.test(name) ? "first" : functionNamed(name);
  return known === null ? null : `${known}(${[body, ...others].join(", ")})`;
}

/** Returns the function on the list for `sum(i.price for i in items if i.paid)`. */
function ofEach({ name, isMethod, given: [only = "", ...more] }: WrittenCall): string | null {
  const known = functionNamed(name);
  const [, body, item = "", list, condition] =
    new Written(only).match(
      String.raw`^\[?\s*(.+?)\s+for\s+(${NAME})\s+in\s+(${PATH})(?:\s+if\s+(.+?))?\s*\]?$`,
    ) ?? [];
  if (known === null || isMethod || more.length > 0 || body === undefined) return null;
  const key = withoutItem(new Written(body), item);
  const selected =
    condition === undefined || condition === ""
      ? list
      : `${list}.where(${withoutItem(new Written(condition), item)})`;
  return `${selected}.${known}(${key === "this" ? "" : key})`;
}

/** Whether a function computes with each item of its list, also in other languages. */
function takesArrow(name: string): boolean {
  if (/^(?:reduce|some|any|exists|every|all|find)$/i.test(name)) return true;
  const known = functionNamed(name);
  return known !== null && parameterOf(`$${known}` as FunctionName, 0) !== "value";
}

/** Returns the arguments of a call, with a list of parameters such as `a, b:` as part of its function. */
function joinedArguments({ given }: WrittenCall): readonly string[] {
  const [first = "", second = "", ...others] = given;
  return /^lambda\s+\S+$/.test(first) ? [`${first}, ${second}`, ...others] : given;
}

/** Returns the condition that some or all items of a list fulfil a condition. */
function tested(name: string, condition: string): string | null {
  if (/^(?:some|any|exists)$/i.test(name)) return `count(${condition}) > 0`;
  if (!/^(?:every|all)$/i.test(name)) return null;
  const isOne = /^[\p{L}\p{N}_.]+$/u.test(condition);
  return `count(not ${isOne ? condition : `(${condition})`}) == 0`;
}

/** Returns the function for `(sum, i) => sum + i.price`; null for other functions. */
function folded({ names: [sum = "", item = ""], body }: Arrow): string | null {
  const escaped = sum.replaceAll("$", "\\$");
  const [, added, first] =
    body.match(String.raw`^${escaped}\s*\+\s*(.+)$`) ??
    body.match(String.raw`^(.+?)\s*\+\s*${escaped}$`) ??
    [];
  const [, which, compared] =
    body.match(String.raw`^Math\.(max|min)\(\s*${escaped}\s*,\s*(.+)\)$`) ?? [];
  if (compared !== undefined) return `${which}(${withoutItem(new Written(compared), item)})`;
  const value = added ?? first;
  if (value === undefined) return null;
  const plain = value.replace(/^(?:Number|parseFloat)?\(([^()]*)\)$/, "$1");
  const summed = withoutItem(new Written(plain), item);
  return `sum(${summed === "this" ? "" : summed})`;
}

/** Returns the key for a function that compares two items, such as `(a, b) => b.price - a.price`; null for others. */
function keyOf({ names: [one = "", other = ""], body }: Arrow): string | null {
  const [a, b] = [one.replaceAll("$", "\\$"), other.replaceAll("$", "\\$")];
  const key = String.raw`\.(${NAME}(?:\.${NAME})*)`;
  for (const [left, right, order] of [
    [a, b, ""],
    [b, a, " desc"],
  ] as const) {
    const [, first, second] =
      body.match(String.raw`^${left}${key}\s*[-<>]\s*${right}${key}(?:\s*\?.*)?$`) ??
      body.match(String.raw`^${left}${key}\.localeCompare\(\s*${right}${key}\s*\)$`) ??
      [];
    const path = first?.replace(/\.localeCompare$/, "");
    if (path === undefined || path !== second) continue;
    // `a < b` alone is the wrong way round; with a choice, its first value decides.
    const isLess = /</.test(body.text.split("?", 1)[0] ?? "");
    const isChoice = body.text.includes("?");
    const isReversed = isChoice ? isLess !== /\?\s*-/.test(body.text) : isLess;
    const descends = (order === " desc") !== isReversed;
    return `${path}${descends ? " desc" : ""}`;
  }
  return null;
}

/** Replaces `i.name` by `name`, and `i` alone by `this`. */
function withoutItem(body: Written, item: string): string {
  let text = body;
  for (let more = 0; more < 10; more++) {
    const replaced = text.replace(
      String.raw`(?<![\p{L}\p{N}_$."'])${item.replaceAll("$", "\\$")}(?![\p{L}\p{N}_$"'])(\.?)`,
      ([, dot]) => (dot === "." ? "" : "this"),
    );
    if (replaced === null) break;
    text = new Written(replaced);
  }
  return text.text.trim();
}
