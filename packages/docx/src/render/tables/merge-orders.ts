import { spellExpression } from "../../language/grammar/spell.ts";
import type { Op } from "../../program/ops.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import type { Diagnostics } from "../evaluate/context/document-diagnostics.ts";
import { type Scope, turnIn } from "../evaluate/context/scope.ts";
import { withKey } from "./outer-groups.ts";

type MergeOp = Extract<Op, { op: "merge" }>;

/** Maximum length of texts that are compared without uppercase letters and spaces. */
const MAX_LENGTH = 1_000;
/** Number of different texts of a list that are compared. */
const MAX_TEXTS = 10_000;

/** The order of the texts that a tag merges. */
interface Order {
  /** The current list, and the position in it. */
  items: readonly unknown[] | null;
  index: number;
  last: string | null;
  /** The texts of the current list, and whether each came again after others. */
  texts: Map<string, boolean>;
  /** The numbers of different texts, and of those that came again after others, of all lists. */
  different: number;
  apart: number;
  /** Whether equal texts followed each other. */
  hasNeighbors: boolean;
  /** Two texts that follow each other and differ only in uppercase letters or spaces. */
  alike: readonly [string, string] | null;
  /** Whether any cell is directly below another cell of its column, so that cells can be merged. */
  canMerge: boolean;
}

/** Finds lists whose order does not fit the cells that are merged by their texts. */
export class MergeOrders {
  readonly #orders = new Map<MergeOp, Order>();

  /** Adds the text of the next cell. `isBelow`: whether the cell above may be merged with it. */
  add(op: MergeOp, text: string | null | undefined, isBelow: boolean, scope: Scope | null): void {
    // Without a text, nothing says where the item belongs.
    if (!text) return;
    const order = this.#orders.get(op) ?? newOrder();
    this.#orders.set(op, order);
    order.canMerge ||= isBelow;
    const turn = turnIn(scope);
    const index = turn?.index ?? 0;
    if (turn?.items !== order.items || index <= order.index) {
      order.last = null;
      order.texts = new Map();
    }
    order.items = turn?.items ?? null;
    order.index = index;
    if (text === order.last) order.hasNeighbors = true;
    else {
      if (isBelow && order.last !== null && plain(text) === plain(order.last))
        order.alike ??= [order.last, text];
      if (op.order !== undefined) compare(text, order);
    }
    order.last = text;
  }

  /**
   * Reports each tag whose texts are apart, if it merges nothing, or at least half of them are. Also reports texts that
   * are not merged because of their letters or spaces.
   */
  report(diagnostics: Diagnostics): void {
    for (const [{ by, isKey, order: list }, found] of this.#orders) {
      const { different, apart, hasNeighbors, canMerge, alike } = found;
      if (by !== undefined && alike !== null) reportAlike(by, alike, diagnostics);
      if (by === undefined || list === undefined || apart === 0 || !canMerge) continue;
      if (hasNeighbors && apart * 2 < different) continue;
      const { text } = by.origin;
      diagnostics.warn(
        by.origin,
        "unsorted_merge",
        `The tag ${text} merges only cells that follow each other, but equal texts are apart: the list of ${list.loop} is not sorted by them.`,
        undefined,
        () => {
          const hint =
            list.sorted === null ? "Sort the list by the same value." : `Write ${list.sorted}.`;
          if (isKey === true) return hint;
          const meant = withKey(text, spellExpression(by.expression));
          return `${hint} If the order is meant, write ${meant}.`;
        },
      );
    }
  }
}

function reportAlike(
  { origin, expression }: TextOp,
  [one, other]: readonly [string, string],
  diagnostics: Diagnostics,
): void {
  const { source } = expression.kind === "path" ? expression : { source: "key" };
  diagnostics.warn(
    origin,
    "doubtful_group",
    `The tag ${origin.text} does not merge '${one}' and '${other}', which differ only in uppercase letters or spaces.`,
    undefined,
    () =>
      `Write them in the same way in the data, or compare them in one form: merge(${source}.trim().lowercase()).`,
  );
}

/** Returns a text without what does not show that two texts differ. */
function plain(text: string): string {
  return text.length > MAX_LENGTH ? text : text.trim().replace(/\s+/g, " ").toLowerCase();
}

function newOrder(): Order {
  return {
    items: null,
    index: -1,
    last: null,
    texts: new Map(),
    different: 0,
    apart: 0,
    hasNeighbors: false,
    alike: null,
    canMerge: false,
  };
}

function compare(text: string, order: Order): void {
  const isKnownApart = order.texts.get(text);
  if (isKnownApart === true || (isKnownApart === undefined && order.texts.size === MAX_TEXTS))
    return;
  order.texts.set(text, isKnownApart !== undefined);
  if (isKnownApart === undefined) order.different += 1;
  else order.apart += 1;
}
