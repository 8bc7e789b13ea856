import { kindOf } from "../../../format/print.ts";
import type { CallExpression } from "../../../language/grammar/expression.ts";
import { FUNCTIONS, isOfList } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import { Group } from "../context/origins.ts";
import { listSeparatorIn, splitAt } from "../hints/parts-of-text.ts";

/** Returns the error for a function on a value that it can never take as a list; null for other values. */
export function notAList(call: CallExpression, of: unknown): EvaluationError | null {
  if (of instanceof Group) return notOfGroup(call);
  if (joinsValues(call, of)) return notOfValues();
  return call.name === "$join" && kindOf(of) === "object" ? notOfObject(call) : null;
}

/** Returns the error for `items.max()`, where the items are objects. */
export function ofObjects({ name }: CallExpression, list: string | null): EvaluationError {
  const [items, method] = [list ?? "items", name.slice(1)];
  const end = method === "max" ? "last" : "first";
  return Object.assign(new EvaluationError(`${name} needs numbers or dates, but got objects`), {
    hint: `Name what counts, as in ${items}.${method}(price). For the item itself write ${items}.sort(price).${end}().`,
  });
}

/** Returns the error for `$join` with an object. */
function notOfObject({ arguments: [of, ...given] }: CallExpression): EvaluationError {
  const [name, ...between] = [of, ...given].map((each) => each && written(each));
  return Object.assign(new EvaluationError("$join needs a list, but got an object"), {
    argument: 0,
    hint: `For the values of the object, write ${name ?? "tags"}.entries().map(value).join(${between.join(", ")}).`,
  });
}

/** Returns the error for a function on a group in place of its items. */
function notOfGroup({ name, arguments: [of, by] }: CallExpression): EvaluationError {
  const group = of === undefined ? null : written(of);
  const given = by === undefined ? null : written(by);
  const example = by === undefined ? "()" : given === null ? FUNCTIONS[name].example : `(${given})`;
  return Object.assign(new EvaluationError(`${name} needs a list, but got a group`), {
    argument: 0,
    hint: `The items of a group are a list: ${group ?? "group"}.items.${name.slice(1)}${example}.`,
  });
}

/** Whether a call joins several values, although it takes a list and separators: `$join(street, city, ", ")`. */
function joinsValues({ name, arguments: given }: CallExpression, of: unknown): boolean {
  const isMeant = name === "$join" && given.length === 3 && given[1]?.kind === "path";
  return isMeant && !Array.isArray(of);
}

/** Returns the error for `$join` with several values. */
function notOfValues(): EvaluationError {
  return Object.assign(new EvaluationError("$join needs a list, and then its separators"), {
    argument: 0,
    hint: 'Join several values with [street, city].join(", ").',
  });
}

/** Returns the error for a function on a value in place of a list. `takesValues`: whether it also takes a single value. */
export function noList(
  call: CallExpression,
  value: unknown,
  takesValues: boolean,
): EvaluationError {
  const { name, arguments: given } = call;
  const { example } = FUNCTIONS[name];
  const [first] = given;
  const inner = first?.kind === "call" && isOfList(first.name) ? first.name.slice(1) : null;
  const isNumber = takesValues && kindOf(value) === "number";
  const values = given.map((each) => written(each) ?? (isNumber ? spellExpression(each) : ""));
  const isOfValues = takesValues && values.length > 1 && !values.includes("");
  const [text, count] = values;
  const isPart = name === "$limit" || name === "$skip";
  if (typeof value === "string" && isPart && text && count && listSeparatorIn(value) === null) {
    return Object.assign(new EvaluationError(`${name} needs a list, but got text`), {
      argument: 0,
      hint:
        name === "$limit"
          ? `For the first characters of a text write ${text}.substring(0, ${count}), or ${text} :: truncate(${count}) for the text with dots.`
          : `For the text without its first characters write ${text}.substring(${count}).`,
    });
  }
  const single = hintForValue(name, text ?? "", count, value);
  if (single !== null) {
    const message = `${name} needs a list, but got ${withArticle(value)}`;
    return Object.assign(new EvaluationError(message), { argument: 0, hint: single });
  }
  const inLoop = /^\$(?:sort|where|limit|skip|reverse|distinct)$/.test(name)
    ? ` In a loop it belongs to the list in the tag of the loop, as in 'for i in items.${name.slice(1)}${example}'.`
    : "";
  const named = `Name a list, as in items.${name.slice(1)}${example}.${inLoop}`;
  return Object.assign(new EvaluationError(`${name} needs a list, but got ${withArticle(value)}`), {
    argument: 0,
    hint: isOfValues
      ? `Put the values into brackets: [${values.join(", ")}].${name.slice(1)}().`
      : inner === null
        ? named
        : `'${inner}' gives a single value: ${inRightOrder(call) ?? `write ${name.slice(1)} before it, as in items.${name.slice(1)}${example}.${inner}(…).`}`,
  });
}

/** Returns how to write `names.join(", ").sort()`; null for calls with keys of the items. */
function inRightOrder(call: CallExpression): string | null {
  const [inner, ...given] = call.arguments;
  if (inner?.kind !== "call" || inner.name !== "$join") return null;
  const [list, ...between] = inner.arguments;
  if (list === undefined) return null;
  const ofList = { ...call, arguments: [list, ...given] };
  if (/^\$(?:first|last)$/.test(call.name) && given.length === 0)
    return `write ${spellExpression(ofList)}.`;
  const keepsItems = /^\$(?:limit|skip)$/.test(call.name);
  if (
    !keepsItems &&
    (given.length > 0 || !/^\$(?:sort|distinct|reverse|nonEmpty)$/.test(call.name))
  )
    return null;
  const meant = { ...inner, arguments: [ofList, ...between] };
  return `write ${spellExpression(meant)}.`;
}

/** `name.first()`: the first character of a text that is not a list. */
function endOfText(
  name: CallExpression["name"],
  of: string,
  by: string | undefined,
): string | null {
  if ((name !== "$first" && name !== "$last") || by) return null;
  return `For the ${name.slice(1)} character of a text write ${of}.substring(${name === "$first" ? "0, 1" : "-1"}).`;
}

/** `tags.first()`, where the tags are one text, such as `a; b`. */
function hintForText(
  name: CallExpression["name"],
  of: string,
  by: string | undefined,
  text: string,
): string | null {
  const separator = listSeparatorIn(text);
  return separator === null
    ? endOfText(name, of, by)
    : `Give a list: [ … ], or use the parts of the text: ${splitAt(separator, of)}.${name.slice(1)}(${by ?? ""}).`;
}

const OF_NUMBERS: ReadonlySet<CallExpression["name"]> = new Set([
  ...(["$sum", "$average", "$min", "$max", "$count"] as const),
]);

/**
 * Returns the hint for an object in place of a list of objects, and for a list as text; null for other values. `of` and
 * `by`: the first two arguments as written.
 */
function hintForValue(
  name: CallExpression["name"],
  of: string,
  by: string | undefined,
  value: unknown,
): string | null {
  if (typeof value === "string" && /^\s*\[/.test(value)) {
    return "The data has the list as text in quotes. Give the list itself: [ … ].";
  }
  if (typeof value === "string" && of !== "") return hintForText(name, of, by, value);
  if (kindOf(value) !== "object" || of === "" || !by) return null;
  const own: unknown = Object.getOwnPropertyDescriptor(value, by)?.value;
  if (Array.isArray(own) && OF_NUMBERS.has(name))
    return `'${of}' is an object, and '${of}.${by}' is a list: write ${of}.${by}.${name.slice(1)}().`;
  return `Give a list: [ … ]. If it is one object, put it into brackets: [${of}].${name.slice(1)}(${by}).`;
}
