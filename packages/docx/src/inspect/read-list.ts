import {
  type CallExpression,
  type Expression,
  isArgumentPerItem,
  isSectionValue,
  type PathExpression,
} from "../language/grammar/expression.ts";
import { FUNCTIONS, type FunctionName, parameterOf } from "../language/grammar/functions.ts";
import {
  type DataNode,
  entriesOf,
  groupsOf,
  itemOf,
  listOf,
  SAMPLE_KEY,
  type Use,
} from "./data-node.ts";
import type { Reading, UseReader } from "./use-reader.ts";

/**
 * Records what a value uses that may be a list or belong to one. `use` says how the value itself is used. Returns its
 * place; null if it is not a value of the data.
 */
export function readList(
  expression: Expression,
  use: Use,
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  switch (expression.kind) {
    case "path":
      return reader.use(expression, use);
    case "call":
      if (expression.name === "$if") {
        const [condition, ...values] = expression.arguments;
        if (condition !== undefined) reading.condition(condition, null, reader);
        return readChoice(values, use, reader, reading);
      }
      if (readsItems(expression)) return readListCall(expression, use, reader, reading);
      reading.value(expression, reader, use);
      return null;
    case "member": {
      const node = readList(expression.of, "crossed", reader, reading);
      return node === null ? null : reader.follow(node, expression.keys, use);
    }
    case "element":
      return readElement(expression, use, reader, reading);
    case "fallback":
      return readChoice([expression.left, expression.right], use, reader, reading);
    case "list":
      if (use === "repeated") return readElements(expression.items, reader, reading);
      for (const item of expression.items) reading.value(item, reader, "compared");
      return null;
    default:
      reading.value(expression, reader, use);
      return null;
  }
}

/** Records what values use of which one is chosen. Returns the place of the chosen one. */
function readChoice(
  values: readonly Expression[],
  use: Use,
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  const found: DataNode[] = [];
  for (const value of values) {
    reader.conditionally(() => {
      const node = readList(value, use, reader, reading);
      if (node !== null) found.push(node);
    });
  }
  const [first, ...others] = found;
  if (first === undefined || others.length === 0) return first ?? null;
  return reader.choice(first, others);
}

/** Records what the elements of a list use that a tag writes out. Returns the place of the list. */
function readElements(
  items: readonly Expression[],
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  const found = items.flatMap((item) => readList(item, "crossed", reader, reading) ?? []);
  const [first, ...others] = found;
  return first === undefined ? null : listOf(reader.choice(first, others));
}

/** Returns the place of the list that a section repeats; null for a condition. */
export function listIn(
  condition: Expression,
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  return isSectionValue(condition) ? readList(condition, "repeated", reader, reading) : null;
}

/** Whether a function reads a list item by item, or gives a list. */
export function readsItems({ name, arguments: given }: CallExpression): boolean {
  const [first] = given;
  const isPlain = first?.kind === "path" && given.length === 1;
  if (name === "$entries") return true;
  return FUNCTIONS[name].of === "list" && name !== "$join" && !(isPlain && GIVES_ONE.has(name));
}

/** Functions that give one value, not items. */
const GIVES_ONE: ReadonlySet<FunctionName> = new Set([
  ...(["$sum", "$count", "$average", "$min", "$max", "$join"] as const),
]);

/** Records what a function on a list uses. Returns the place of its result. */
export function readListCall(
  call: CallExpression,
  use: Use,
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  const [first, ...others] = call.arguments;
  if (first === undefined) return null;
  const { name } = call;
  if (name === "$entries") {
    const object = readList(first, "entered", reader, reading);
    return object === null ? null : entriesOf(object);
  }
  const isWhole = others.length === 0 && GIVES_ONE.has(name);
  const list = readList(first, isWhole ? ofAll(name) : "repeated", reader, reading);
  let key: DataNode | null = null;
  for (const [index, other] of others.entries()) {
    const read = (): void => {
      key = readArgument(call, index, other, use, reader, reading);
    };
    if (!isArgumentPerItem(call, index + 1)) reading.number(other, false, reader);
    else if (list === null) read();
    else reader.within(list, call.alias, read);
  }
  return list === null ? null : resultOf(name, list, key, use, reader);
}

/** Returns the place of the result of a function on a list. */
function resultOf(
  name: FunctionName,
  list: DataNode,
  key: DataNode | null,
  use: Use,
  reader: UseReader,
): DataNode | null {
  if (GIVES_ONE.has(name) || name === "$map") return null;
  if (name === "$group") return groupsOf(list, key);
  const isOne = name === "$first" || name === "$last";
  if (isOne) return reader.follow(itemOf(list), [], use);
  const ofItem = OF_ITEMS.get(use) ?? use;
  if (ofItem !== "repeated") reader.follow(itemOf(list), [], ofItem);
  return list;
}

/** How the items of a list are used, if that differs from the use of the list. `repeated`: in no other way. */
const OF_ITEMS: ReadonlyMap<Use, Use> = new Map([
  ["joined", "printed"],
  ["delimited", "printed"],
  ["aggregated", "number"],
  ["counted", "repeated"],
  ["crossed", "repeated"],
]);

function ofAll(name: FunctionName): Use {
  return name === "$count" ? "counted" : "aggregated";
}

/** Records what an argument uses that is evaluated for each item. Returns the place of a key. */
function readArgument(
  call: CallExpression,
  index: number,
  argument: Expression,
  use: Use,
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  const { name } = call;
  if (parameterOf(name, index) === "condition") {
    reading.condition(argument, true, reader);
    return null;
  }
  if (GIVES_ONE.has(name)) {
    reading.number(argument, false, reader);
    return null;
  }
  if (name === "$map" && use !== "repeated") return readList(argument, use, reader, reading);
  const key = readList(argument, "ordered", reader, reading);
  if (key !== null) key.facts.isWord = true;
  return key;
}

/** Records the use of an element, or of a key, that another value names. */
function readElement(
  { of, key }: Extract<Expression, { kind: "element" }>,
  use: Use,
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  if (key.kind === "path") return readNamed(of, key, use, reader, reading);
  reading.value(key, reader, "ordered");
  const isIndex = key.kind === "variable" || key.kind === "number" || key.kind === "compute";
  const node = readList(of, isIndex ? "repeated" : "deep", reader, reading);
  return isIndex && node !== null ? reader.follow(itemOf(node), [], use) : null;
}

/** Records the use of a key that the value of a path names. In sample data, the path has that key as its value. */
function readNamed(
  of: Expression,
  key: PathExpression,
  use: Use,
  reader: UseReader,
  reading: Reading,
): DataNode | null {
  reader.use(key, "ordered").facts.sample ??= SAMPLE_KEY;
  const node = readList(of, "crossed", reader, reading);
  return node === null ? null : reader.follow(node, [SAMPLE_KEY], use);
}
