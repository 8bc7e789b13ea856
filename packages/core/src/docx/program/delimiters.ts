import type { Slot } from "../deflate/pieces.ts";
import { argumentOf } from "../values/modifiers.ts";
import type { TextOp } from "./ops.ts";
import type { Scope } from "./scope.ts";
import type { Sheet } from "./sheet.ts";

/** What a tag has printed so far in the turns of one loop. */
interface Printed {
  readonly turn: Scope;
  /** The place behind what it printed last. */
  readonly last: Slot;
  /** The place before that one; null when there is none. */
  readonly before: Slot | null;
}

/**
 * Puts what `delimiter` and `lastdelimiter` say between the values that a tag prints in the turns of
 * the loop around it. Whether another turn prints one is known only when it does, since turns may have
 * no value or leave the tag out: until then the place behind a value is empty.
 */
export class Delimiters {
  readonly #sheet: Sheet;
  #printed: Map<TextOp, Printed> | null = null;

  constructor(sheet: Sheet) {
    this.#sheet = sheet;
  }

  /** The tag has printed a value, and nothing behind it yet. `toXml` writes a delimiter. */
  after(op: TextOp, scope: Scope | null, toXml: (text: string) => string): void {
    const { modifiers } = op;
    const delimiter = argumentOf(modifiers, "delimiter");
    const beforeLast = argumentOf(modifiers, "lastdelimiter") ?? delimiter;
    const turn = turnOf(scope);
    if (turn === null || beforeLast === undefined) return;
    this.#printed ??= new Map();
    const known = this.#printed.get(op);
    const previous = known !== undefined && isLater(turn, known.turn) ? known : null;
    if (previous !== null) {
      this.#sheet.fill(previous.last, toXml(beforeLast));
      if (previous.before !== null) this.#sheet.fill(previous.before, toXml(delimiter ?? ""));
    }
    this.#printed.set(op, {
      turn,
      last: this.#sheet.slot(),
      before: previous?.last ?? null,
    });
  }
}

/** The innermost turn of a loop. */
function turnOf(scope: Scope | null): Scope | null {
  let at = scope;
  while (at !== null && at.index === null) at = at.outer;
  return at;
}

/** Whether a turn comes after another one of the same run of a loop. */
function isLater(turn: Scope, other: Scope): boolean {
  return turn.outer === other.outer && (turn.index ?? 0) > (other.index ?? 0);
}
