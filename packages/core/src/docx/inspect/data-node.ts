/** What tags do with the value at a place in the data. */
export type Use =
  /** Prints it as it is: each element of a list, as all uses do that print. */
  | "printed"
  /** Prints it as a date; with `time`, with the time of day. */
  | "date"
  | "time"
  /** Prints it as a number. */
  | "number"
  /** Computes with it, or compares it with a number: a list will not do. */
  | "operand"
  /** Divides by it. */
  | "divisor"
  /** Rounds to so many places. */
  | "places"
  /** Prints it through a mask. */
  | "masked"
  /** Draws a barcode of it. */
  | "coded"
  /** Fills a picture with it; with `pictured`, prints it in a size that pictures have. */
  | "image"
  | "pictured"
  /** Makes it the address of a link, or a part of one where only few characters can stand. */
  | "url"
  | "urlPart"
  | "html"
  | "markdown"
  /** Prints it where no rich text can stand. */
  | "unformatted"
  | "checkbox"
  /** Puts it into the instruction of a field. */
  | "instruction"
  /** Separates the elements of a list with it. */
  | "separator"
  /** Sets separators for the elements that it may have. */
  | "delimited"
  /** Asks whether it is there, true or empty; with `held`, whether it counts as true. */
  | "tested"
  | "held"
  /**
   * Compares it; with `numbered`, `flagged` or `matched`, whether it equals a number, a boolean or anything
   * else; with `texted`, asks which of two texts comes first; `spelled`: the other is a text with a
   * number, `dated`: a date, `ordered`: any value.
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
  /** Computes one number of all its elements, or joins, counts or measures them. */
  | "aggregated"
  | "joined"
  | "counted"
  | "measured"
  /**
   * Repeats it; with `flattened`, together with those of other elements of a list around, so that what is no
   * list will do; with `listed`, a section that prints its items themselves.
   */
  | "repeated"
  | "flattened"
  | "listed"
  | "section"
  /** A section over it asks for the place in the loop. */
  | "asked"
  /** Names a key below it; with `entered`, one that must be there. */
  | "crossed"
  | "entered"
  /** Lies too deep to be described. */
  | "deep";

/** A value that stands in a condition. */
export type Literal = string | number | boolean;

/** What a condition would have a value be, so that its first branch is shown. */
type Wish = "true" | "false" | "empty" | "absent";

/** A bound that a condition sets: the value is to be greater than it, at least as great, and so on. */
export interface Bound {
  readonly operator: "<" | "<=" | ">" | ">=";
  readonly than: string | number;
}

/** All that a template tells of one place in the data. */
export interface Facts {
  /** Whether some tag needs it whatever the conditions around are. */
  required: boolean;
  readonly uses: Set<Use>;
  /** Those of tags that look at it whatever the conditions around are: it must fit them all. */
  readonly firm: Set<Use>;
  /** The first few of the tags that name it, and whether there are more. */
  readonly tags: string[];
  moreTags: boolean;
  /** Values that conditions look for: what shows a first branch, then others, and what hides one. */
  readonly wanted: Literal[];
  readonly mentioned: Literal[];
  readonly avoided: Literal[];
  /** Texts that it is to contain. */
  readonly parts: Literal[];
  wish: Wish | null;
  bound: Bound | null;
  /** The characters that a mask has room for. */
  mask: number | null;
  barcode: string | null;
}

/** How a section over a place reads the names in it: from its items, or not. */
export type Reading =
  /** They may be keys of its items, or of the object that it is. */
  | "turns"
  /** Its items are plain values without keys. */
  | "elements"
  /** It is a plain value, which only shows the section. */
  | "flag";

/** A place in the data. */
export interface DataNode {
  readonly parent: DataNode | null;
  /** Null for the data itself and for the elements of a list. */
  readonly name: string | null;
  readonly depth: number;
  readonly keys: Map<string, DataNode>;
  /** What each element is, when it is a list. */
  item: DataNode | null;
  reading: Reading;
  /** The same place as it was known before, when a template is read once more. */
  readonly before: DataNode | null;
  readonly facts: Facts;
}

/** Places deeper than this are not described: their writers are one call in another for each level. */
const MAX_DEPTH = 600;

/** An index as a list spells it; greater numbers, such as years, are keys of objects. */
const INDEX = /^\d{1,2}$/;

/** Whether a key is the index of an element: small, and spelled as lists do. */
export function isIndex(key: string): boolean {
  return INDEX.test(key) && (key === "0" || !key.startsWith("0"));
}

/** The data itself, of which nothing is known; `before` is what was known of it. */
export function rootNode(before: DataNode | null): DataNode {
  return createNode(null, null, before);
}

/** The place at a key. */
export function keyOf(node: DataNode, key: string): DataNode {
  let inner = node.keys.get(key);
  if (inner !== undefined) return inner;
  if (isTooDeep(node)) return node;
  inner = createNode(node, key, node.before?.keys.get(key) ?? null);
  node.keys.set(key, inner);
  return inner;
}

/** What each element of a list is. */
export function itemOf(node: DataNode): DataNode {
  if (node.item === null && isTooDeep(node)) return node;
  node.item ??= createNode(node, null, node.before?.item ?? null);
  return node.item;
}

function isTooDeep({ depth, facts }: DataNode): boolean {
  if (depth >= MAX_DEPTH) facts.uses.add("deep");
  return depth >= MAX_DEPTH;
}

function createNode(
  parent: DataNode | null,
  name: string | null,
  before: DataNode | null,
): DataNode {
  return {
    parent,
    name,
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
    },
  };
}

/** More tags, or values in conditions, than these are not kept for one place. */
const MAX_KEPT = 20;
const MAX_TAGS = 3;
const MAX_TAG_LENGTH = 100;

/** Notes a tag that names a place. */
export function noteTag(facts: Facts, text: string): void {
  const tag = text.length > MAX_TAG_LENGTH ? `${text.slice(0, MAX_TAG_LENGTH)}…` : text;
  if (facts.tags.includes(tag)) return;
  if (facts.tags.length < MAX_TAGS) facts.tags.push(tag);
  else facts.moreTags = true;
}

/** Notes a value of a condition. */
export function noteLiteral(kept: Literal[], literal: Literal): void {
  if (kept.length < MAX_KEPT && !kept.includes(literal)) kept.push(literal);
}

/** Adds what is known of one place to what is known of another, which is the same place. */
function mergeFacts(target: Facts, source: Facts): void {
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
}

/** Adds a place and all below it to another one, which is the same place. */
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
