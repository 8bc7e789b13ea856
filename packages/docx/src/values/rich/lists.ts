import type { Style } from "./css.ts";
import { type HtmlElement, readNode } from "./element.ts";
import type { Attributes } from "./format.ts";
import { LIST_LEVELS, type ListKind, type RichList } from "./model.ts";

/** Counts the items of one `<ul>` or `<ol>`. */
export interface Counter {
  /** Null for a list without markers. */
  readonly mark: Mark | null;
  readonly level: number;
  readonly step: number;
  /** The number of the next item. */
  next: number;
  /** The list that Word currently counts, and the number that Word would give to the next item. */
  list: RichList | null;
  expected: number;
  /** Counters of items that Quill indents within this list: the first is one level deeper, and so on. */
  readonly deeper: (Counter | undefined)[];
}

/** The marker of an item. */
type Mark = Pick<RichList, "kind" | "text">;

/** The symbols that the modifier `checkbox` prints. */
const CHECKED: Mark = { kind: "bullet", text: "\u2612" };
const UNCHECKED: Mark = { kind: "bullet", text: "\u2610" };

/** Quill's numbering of the levels. Deeper levels repeat these from the first one. */
const QUILL_KINDS: readonly ListKind[] = ["decimal", "lower-letter", "lower-roman"];

const TYPES: ReadonlyMap<string, ListKind> = new Map([
  ["1", "decimal"],
  ["a", "lower-letter"],
  ["A", "upper-letter"],
  ["i", "lower-roman"],
  ["I", "upper-roman"],
]);

const STYLES: ReadonlyMap<string, ListKind> = new Map([
  ["disc", "bullet"],
  ["circle", "bullet"],
  ["square", "bullet"],
  ["decimal", "decimal"],
  ["decimal-leading-zero", "decimal"],
  ["lower-alpha", "lower-letter"],
  ["lower-latin", "lower-letter"],
  ["upper-alpha", "upper-letter"],
  ["upper-latin", "upper-letter"],
  ["lower-roman", "lower-roman"],
  ["upper-roman", "upper-roman"],
]);

/** Reads the attributes of a list. `items` is the number of its items, for lists that count down. */
export function counterFor(
  name: string,
  attributes: Attributes,
  style: Style,
  level: number,
  items: number,
): Counter {
  const reversed = attributes.has("reversed");
  const next = integer(attributes.get("start")) ?? (reversed ? items : 1);
  const words = (style.get("list-style-type") ?? style.get("list-style") ?? "").split(" ");
  const type = TYPES.get(attributes.get("type") ?? "");
  const said = words.map((word) => STYLES.get(word)).find((kind) => kind !== undefined);
  const usual = name === "ol" ? "decimal" : "bullet";
  const mark = words.includes("none") ? null : usually(said ?? type ?? usual);
  // Quill 1 has separate lists for checked and unchecked items.
  const box = boxOf(attributes.get("data-checked"));
  return newCounter(box ?? mark, level, { step: reversed ? -1 : 1, next });
}

function newCounter(
  mark: Mark | null,
  level: number,
  { step, next }: Pick<Counter, "step" | "next">,
): Counter {
  return { mark, level, step, next, list: null, expected: next, deeper: [] };
}

/**
 * Counts an item. Returns its number, and the list in which Word counts it: a new list after a gap in the numbers.
 * Returns null for an item without a marker. `box` is a check box at the beginning of the item, which becomes its
 * marker.
 */
export function countItem(
  around: Counter,
  item: HtmlElement,
  box: HtmlElement | null,
): { readonly list: RichList; readonly number: number } | null {
  const counter = counterOf(around, item);
  const { level } = counter;
  const mark = markOf(counter, item, box);
  // A bullet between numbered items has no number.
  if (mark?.kind === "bullet") return { list: { ...mark, start: 1, level }, number: 1 };
  const number = integer(item.attributes.get("value")) ?? counter.next;
  counter.next = number + counter.step;
  if (mark === null) return null;
  if (counter.list?.kind !== mark.kind || number !== counter.expected) {
    counter.list = { ...mark, start: number, level };
  }
  counter.expected = number + 1;
  return { list: counter.list, number };
}

/** Returns the counter for an item's level in its list. An item ends the counting of all deeper levels. */
function counterOf(around: Counter, { quill: { indent } }: HtmlElement): Counter {
  const { mark, level, deeper } = around;
  deeper.length = Math.min(deeper.length, indent);
  if (indent === 0) return around;
  const own = isCounted(mark) ? quillMark(indent) : mark;
  const known = deeper[indent - 1];
  if (known !== undefined) return known;
  const made = newCounter(own, Math.min(LIST_LEVELS - 1, level + indent), { step: 1, next: 1 });
  deeper[indent - 1] = made;
  return made;
}

function markOf(counter: Counter, item: HtmlElement, box: HtmlElement | null): Mark | null {
  const { attributes, style, quill } = item;
  const { mark } = counter;
  const said = attributes.get("data-list");
  const checked = attributes.get("data-checked") ?? box?.attributes.has("checked").toString();
  const own = boxOf(checked ?? BOXES.get(said ?? ""));
  if (own !== null) return own;
  if (said === "bullet") return usually("bullet");
  if (said === "ordered") return isCounted(mark) ? mark : quillMark(quill.indent);
  const type = style.get("list-style-type");
  if (type === "none" || mark === null) return null;
  const kind = STYLES.get(type ?? "");
  return kind === undefined ? mark : usually(kind);
}

/** Quill's names for check boxes. */
const BOXES: ReadonlyMap<string, string> = new Map([
  ["checked", "true"],
  ["unchecked", "false"],
]);

function boxOf(checked: string | undefined): Mark | null {
  if (checked === "true") return CHECKED;
  return checked === "false" ? UNCHECKED : null;
}

function isCounted(mark: Mark | null): mark is Mark {
  return mark !== null && mark.kind !== "bullet";
}

function usually(kind: ListKind): Mark {
  return { kind, text: null };
}

function quillMark(indent: number): Mark {
  return usually(QUILL_KINDS[indent % QUILL_KINDS.length] ?? "decimal");
}

/** Elements in which editors wrap the check box of an item. */
const AROUND_BOXES: ReadonlySet<string> = new Set(["label", "p", "div", "span"]);

/** Returns the check box at the beginning of an item without a number, or null. */
export function boxIn({ mark }: Counter, item: HtmlElement): HtmlElement | null {
  if (isCounted(mark)) return null;
  let at: HtmlElement | null = item;
  for (let depth = 0; at !== null && depth < MAX_AROUND; depth += 1) {
    at = firstIn(at);
    if (at !== null && isCheckBox(at)) return at;
    if (at !== null && !AROUND_BOXES.has(at.name)) return null;
  }
  return null;
}

const MAX_AROUND = 4;

/** Returns the first element inside an element, or null if there is text before it. */
function firstIn({ node }: HtmlElement): HtmlElement | null {
  for (const child of node.childNodes) {
    const read = readNode(child);
    if (read.kind === "element") return read;
    if (read.kind === "text" && read.text.trim() !== "") return null;
  }
  return null;
}

/** Whether an element is a check box of a form. */
export function isCheckBox({ name, attributes }: HtmlElement): boolean {
  return name === "input" && attributes.get("type") === "checkbox";
}

function integer(text: string | undefined): number | null {
  const match = /^\s{0,9}([+-]?\d{1,9})/.exec(text ?? "");
  return match === null ? null : Number(match[1]);
}
