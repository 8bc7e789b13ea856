import type { Slot } from "../deflate/pieces.ts";
import type { TextOp } from "../program/tag-ops.ts";
import { argumentOf } from "../values/modifiers.ts";
import type { Scope } from "./evaluate/context/scope.ts";
import type { PartWriter } from "./part-writer.ts";

/** The latest output of a tag in the iterations of one loop. */
interface Printed {
  readonly turn: Scope;
  /** The slot after its last output. */
  readonly last: Slot;
  /** The slot after the second-to-last output, or null. */
  readonly before: Slot | null;
}

/**
 * Writes the text of `delimiter` and `lastdelimiter` between the values that a tag prints in the iterations of its
 * loop. Later iterations may have no value or omit the tag. Therefore, the slot after a value is empty until a later
 * value is printed.
 */
export class Delimiters {
  readonly #writer: PartWriter;
  #printed: Map<TextOp, Printed> | null = null;

  constructor(writer: PartWriter) {
    this.#writer = writer;
  }

  /** Reserves slots for delimiters. Call this after the tag has printed a value. `toXml` writes a delimiter. */
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
      this.#writer.fill(previous.last, toXml(beforeLast));
      if (previous.before !== null) this.#writer.fill(previous.before, toXml(delimiter ?? ""));
    }
    this.#printed.set(op, {
      turn,
      last: this.#writer.slot(),
      before: previous?.last ?? null,
    });
  }
}

/** Returns the innermost iteration of a loop. */
function turnOf(scope: Scope | null): Scope | null {
  let at = scope;
  while (at !== null && at.index === null) at = at.outer;
  return at;
}

/** Whether an iteration comes after another in the same run of a loop. */
function isLater(turn: Scope, other: Scope): boolean {
  return turn.outer === other.outer && (turn.index ?? 0) > (other.index ?? 0);
}
