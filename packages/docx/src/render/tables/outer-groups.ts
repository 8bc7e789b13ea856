import { pathsOf } from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import type { Op } from "../../program/ops.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import { formats } from "../../values/modifiers.ts";
import type { Diagnostics } from "../evaluate/context/document-diagnostics.ts";
import type { Scope } from "../evaluate/context/scope.ts";

type MergeOp = Extract<Op, { op: "merge" }>;

/**
 * Finds cells that equal texts merge over two items of an outer loop, although a cell to their left, with a value of
 * the outer item, ends between these items.
 */
export class OuterGroups {
  /** The iteration of the outer loop in the last row of each column. */
  readonly #outer = new Map<MergeOp, Scope>();
  /** The last cell with a value of an outer item that began again below a cell of its column, and its iteration. */
  #begun: { readonly by: TextOp; readonly scope: Scope } | null = null;
  /** The tags of such cells, and the first tag to the left of each. */
  readonly #found = new Map<TextOp, TextOp>();

  /** Adds the next cell. `isBelow`: whether the cell above may be merged with it. `continues`: whether it is. */
  add(op: MergeOp, isBelow: boolean, continues: boolean, scope: Scope | null): void {
    const { by, isKey, turns } = op;
    const outer = scope?.outer ?? null;
    if (by === undefined || scope === null || outer === null || turns > 0) return;
    const isOfItem = pathsOf(by.expression).some(({ head }) => head === scope.alias);
    if (isBelow && !continues && !isOfItem) this.#begun = { by, scope };
    const isNext = this.#outer.get(op) !== outer;
    if (continues && isOfItem && isKey !== true && isNext && this.#begun?.scope === scope) {
      if (!this.#found.has(by)) this.#found.set(by, this.#begun.by);
    }
    this.#outer.set(op, outer);
  }

  report(diagnostics: Diagnostics): void {
    for (const [by, left] of this.#found) {
      const { text } = by.origin;
      diagnostics.warn(
        by.origin,
        "doubtful_group",
        `The tag ${text} continues a cell beside the end of a cell of ${left.origin.text}.`,
        undefined,
        () => hintFor(by, left),
      );
    }
  }
}

function hintFor({ origin, expression, modifiers }: TextOp, left: TextOp): string {
  const own = spellExpression(expression);
  const meant = `If the cell is to continue, write ${withKey(origin.text, own)}.`;
  if (formats(modifiers)) return `Compare both values in the argument of 'merge'. ${meant}`;
  const both = `$concat(${spellExpression(left.expression)}, "/", ${own})`;
  return `Compare both values: ${withKey(origin.text, both)}. ${meant}`;
}

/** Returns a tag with `merge` as written, with an argument of this modifier. */
export function withKey(text: string, key: string): string {
  return text.replace(/(::.*?\bmerge)\b(?!\s*\()/s, (_tag, before: string) => `${before}(${key})`);
}
