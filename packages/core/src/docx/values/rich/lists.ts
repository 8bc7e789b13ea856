import type { Style } from "./css.ts";
import type { Attributes } from "./format.ts";
import type { ListKind, RichList } from "./model.ts";

/** Counts the items of one `<ul>` or `<ol>`. */
export interface Counter {
  /** Null for a list without markers. */
  readonly kind: ListKind | null;
  readonly level: number;
  readonly step: number;
  /** The number of the next item. */
  next: number;
  /** What Word counts now, and the number it would give the next item. */
  list: RichList | null;
  expected: number;
}

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

/** Reads the attributes of a list. `items` is how many it has, for one that counts down. */
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
  const kind = words.includes("none") ? null : (said ?? type ?? usual);
  return { kind, level, step: reversed ? -1 : 1, next, list: null, expected: next };
}

/** The number of the next item, and the list that Word counts it in: another one after a jump. */
export function countItem(
  counter: Counter,
  attributes: Attributes,
  style: Style,
): { readonly list: RichList; readonly number: number } | null {
  const number = integer(attributes.get("value")) ?? counter.next;
  counter.next = number + counter.step;
  if (counter.kind === null || style.get("list-style-type") === "none") return null;
  if (counter.list === null || number !== counter.expected) {
    counter.list = { kind: counter.kind, start: number, level: counter.level };
  }
  counter.expected = number + 1;
  return { list: counter.list, number };
}

function integer(text: string | undefined): number | null {
  const match = /^\s{0,9}([+-]?\d{1,9})/.exec(text ?? "");
  return match === null ? null : Number(match[1]);
}
