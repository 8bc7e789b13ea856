/** What tags do with the value at a place in the data. */
export type Use =
  /** Prints the value unchanged. Every use that prints a value applies to each element of a list. */
  | "printed"
  /** Prints the value as a date. `time` includes the time of day. */
  | "date"
  | "time"
  /** Prints the value as a time in a time zone, which only a time with an offset depends on. */
  | "zoned"
  /** Prints the value as a number. */
  | "number"
  /** Computes with the value, or compares it with a number. A list is not allowed. */
  | "operand"
  /** Divides by the value. */
  | "divisor"
  /** Rounds another value to this number of decimals. */
  | "places"
  /** Counts with the value, so only a whole number fits. */
  | "whole"
  /** Prints the value through a mask. */
  | "masked"
  /** Draws the value as a barcode. */
  | "coded"
  /** Fills a picture with the value. `pictured` prints the value as a picture of a given size. */
  | "image"
  | "pictured"
  /** Uses the value as the address of a link. `urlPart` uses it as a part of an address that allows few characters. */
  | "url"
  | "urlPart"
  | "html"
  | "markdown"
  /** Prints the value where rich text is not possible. */
  | "unformatted"
  | "checkbox"
  /** Puts the value into the instruction of a field. */
  | "instruction"
  /** Separates the elements of a list with the value. */
  | "separator"
  /** Sets separators, in case the value is a list. */
  | "delimited"
  /** Tests whether the value exists and is neither empty nor false. `held` tests whether it counts as true. */
  | "tested"
  | "held"
  /**
   * Compares the value. `numbered`, `flagged` and `matched` test whether it equals a number, a boolean or anything
   * else. The others test which is greater: `spelled` with a numeric string, `dated` with a date, `texted` with another
   * string, and `ordered` with a value in the data.
   */
  | "compared"
  | "numbered"
  | "flagged"
  | "matched"
  | "texted"
  | "spelled"
  | "dated"
  | "ordered"
  | "contains"
  /** Computes one number from all elements of the value. The others join, count or measure the elements. */
  | "aggregated"
  | "joined"
  | "counted"
  | "measured"
  /**
   * Repeats a block for each element of the value. `flattened` means that the value is one of several lists, one in
   * each element of an outer list, and that the block repeats for the elements of all of them. The value must then be
   * a list. `listed` means that the block is a section that prints the items themselves.
   */
  | "repeated"
  | "flattened"
  | "listed"
  | "section"
  /** Uses the position in the loop, in a section that repeats the value. */
  | "asked"
  /** Uses a key of the value. `entered` uses a key that must exist. */
  | "crossed"
  | "entered"
  /** Uses a value that is nested too deeply to be described. */
  | "deep";

/** A literal in a condition. */
export type Literal = string | number | boolean;

/** The state of a value that shows the first branch of a condition. */
type Wish = "true" | "false" | "empty" | "absent";

/** A bound from a condition: the value should be less than `than`, at most `than`, and so on. */
export interface Bound {
  readonly operator: "<" | "<=" | ">" | ">=";
  readonly than: string | number;
}

/** Everything that a template reveals about one place in the data. */
export interface Facts {
  /** Whether any tag needs the value under all conditions. */
  required: boolean;
  readonly uses: Set<Use>;
  /** The uses that do not depend on conditions: the value must fit them all. */
  readonly firm: Set<Use>;
  /** The first tags that use the place, and whether there are more. */
  readonly tags: string[];
  moreTags: boolean;
  /**
   * Values from conditions: those that show a first branch, those of other branches, and those that hide a first
   * branch.
   */
  readonly wanted: Literal[];
  readonly mentioned: Literal[];
  readonly avoided: Literal[];
  /** Literals that the value should contain. */
  readonly parts: Literal[];
  wish: Wish | null;
  bound: Bound | null;
  /** The number of characters that a mask can show. */
  mask: number | null;
  barcode: string | null;
  /** The value for sample data, if only some values fit, such as a currency. */
  sample: string | null;
  /** Whether the sample is a word rather than a number, although the value may be ordered by size. */
  isWord: boolean;
  /** Whether only the values from conditions fit. */
  isClosed: boolean;
}

/** How the value of a section is read. This decides whether names in the section are keys of its items. */
export type Reading =
  /** Names may be keys of its items, or of the value itself if it is an object. */
  | "turns"
  /** Its items are plain values without keys. */
  | "elements"
  /** The value is plain and only shows the section. */
  | "flag";

/** A place in the data. */
export interface DataNode {
  readonly parent: DataNode | null;
  /** Null for the data itself and for the elements of a list. */
  readonly name: string | null;
  /** Whether the name stands for all keys of an object. */
  readonly isAnyKey: boolean;
  readonly depth: number;
  readonly keys: Map<string, DataNode>;
  /** The elements, if it is a list. */
  item: DataNode | null;
  reading: Reading;
  /** The same place in the previous survey, when a template is surveyed again. */
  readonly before: DataNode | null;
  readonly facts: Facts;
}

/**
 * Maximum depth of a place. Deeper places are not described, because the functions that describe them are recursive.
 */
const MAX_DEPTH = 600;

/** An index of a list element. Greater numbers, such as years, are keys of objects. */
const INDEX = /^\d{1,2}$/;

/** Whether a key is the index of an element: a number of at most two digits. */
export function isIndex(key: string): boolean {
  return INDEX.test(key) && (key === "0" || !key.startsWith("0"));
}

/**
 * Creates the node of the data itself, about which nothing is known yet. `before` is the result of the previous survey.
 */
export function rootNode(before: DataNode | null): DataNode {
  return createNode(null, null, before);
}

/** Returns the place at a key. */
export function keyOf(node: DataNode, key: string): DataNode {
  let inner = node.keys.get(key);
  if (inner !== undefined) return inner;
  if (isTooDeep(node)) return node;
  inner = createNode(node, key, node.before?.keys.get(key) ?? null);
  node.keys.set(key, inner);
  return inner;
}

/** Returns the elements of a list. */
export function itemOf(node: DataNode): DataNode {
  if (node.item === null && isTooDeep(node)) return node;
  node.item ??= createNode(node, null, node.before?.item ?? null);
  return node.item;
}

/**
 * Returns the place of the groups of a list. It is not in the data: it leads to the list's items, and to the value that
 * the items of each group share.
 */
export function groupsOf(list: DataNode, key: DataNode | null): DataNode {
  const groups = createNode(null, null, null);
  const group = itemOf(groups);
  group.keys.set("items", list);
  if (key !== null) group.keys.set("key", key);
  return groups;
}

/** Returns the place of a list that is not in the data, although its elements are. */
export function listOf(item: DataNode): DataNode {
  const list = createNode(null, null, null);
  list.item = item;
  return list;
}

/** The key that sample data has for a key that is not known. */
export const SAMPLE_KEY = "key";

/** Returns the place of the entries of an object, which is not in the data. Their values are at any key of the object. */
export function entriesOf(object: DataNode): DataNode {
  const entries = createNode(null, null, null);
  const entry = itemOf(entries);
  object.facts.uses.add("crossed");
  let value = object.keys.get(SAMPLE_KEY);
  if (value === undefined) {
    value = createNode(object, SAMPLE_KEY, object.before?.keys.get(SAMPLE_KEY) ?? null, true);
    object.keys.set(SAMPLE_KEY, value);
  }
  entry.keys.set("value", value);
  entry.keys.set("key", createNode(entry, "key", null));
  return entries;
}

function isTooDeep({ depth, facts }: DataNode): boolean {
  if (depth >= MAX_DEPTH) facts.uses.add("deep");
  return depth >= MAX_DEPTH;
}

/** Creates a place about which nothing is known yet. */
export function createNode(
  parent: DataNode | null,
  name: string | null,
  before: DataNode | null,
  isAnyKey = false,
): DataNode {
  return {
    parent,
    name,
    isAnyKey,
    depth: parent === null ? 0 : parent.depth + 1,
    keys: new Map(),
    item: null,
    reading: before?.reading ?? "turns",
    before,
    facts: {
      required: false,
      uses: new Set(),
      firm: new Set(),
      tags: [],
      moreTags: false,
      wanted: [],
      mentioned: [],
      avoided: [],
      parts: [],
      wish: null,
      bound: null,
      mask: null,
      barcode: null,
      sample: null,
      isWord: false,
      isClosed: false,
    },
  };
}

/**
 * Limits for one place: the number of values of each kind from conditions, the number of tags, and the length of a tag.
 */
const MAX_KEPT = 20;
const MAX_TAGS = 3;
const MAX_TAG_LENGTH = 100;

/** Records a tag that uses a place. */
export function noteTag(facts: Facts, text: string): void {
  const tag = text.length > MAX_TAG_LENGTH ? `${text.slice(0, MAX_TAG_LENGTH)}…` : text;
  if (facts.tags.includes(tag)) return;
  if (facts.tags.length < MAX_TAGS) facts.tags.push(tag);
  else facts.moreTags = true;
}

/** Records a value of a condition. */
export function noteLiteral(kept: Literal[], literal: Literal): void {
  if (kept.length < MAX_KEPT && !kept.includes(literal)) kept.push(literal);
}

/** Adds what is known about a place to another node for the same place. */
export function mergeFacts(target: Facts, source: Facts): void {
  for (const use of source.uses) target.uses.add(use);
  for (const use of source.firm) target.firm.add(use);
  target.required ||= source.required;
  for (const tag of source.tags) noteTag(target, tag);
  target.moreTags ||= source.moreTags;
  for (const kind of ["wanted", "mentioned", "avoided", "parts"] as const) {
    for (const literal of source[kind]) noteLiteral(target[kind], literal);
  }
  target.wish ??= source.wish;
  target.bound ??= source.bound;
  target.mask ??= source.mask;
  target.barcode ??= source.barcode;
  target.sample ??= source.sample;
  target.isWord ||= source.isWord;
  target.isClosed ||= source.isClosed;
}

/** Adds a node and everything below it to another node for the same place. */
export function mergeNodes(target: DataNode, source: DataNode): void {
  if (target === source) return;
  mergeFacts(target.facts, source.facts);
  if (source.item !== null) {
    if (target.item === null) target.item = source.item;
    else mergeNodes(target.item, source.item);
  }
  for (const [key, inner] of source.keys) {
    const own = target.keys.get(key);
    if (own === undefined) target.keys.set(key, inner);
    else mergeNodes(own, inner);
  }
}
