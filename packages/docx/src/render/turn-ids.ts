import type { NoteKind, NumberOf } from "../program/numbered.ts";
import { isFirstTurn, type Scope } from "./evaluate/context/scope.ts";
import type { Output } from "./output.ts";

/**
 * Returns the number of a drawing or mark. The first iteration keeps the template's number. Each further iteration gets
 * a new number, which both ends of a range share.
 */
export function idAt(
  { of, original }: { readonly of: NumberOf; readonly original: number },
  scope: Scope | null,
  output: Output,
): number {
  if (isFirstTurn(scope) || scope === null) return original;
  const key = `${of}${original}`;
  scope.ids ??= new Map();
  let id = scope.ids.get(key);
  if (id === undefined) {
    id = of === "drawing" ? output.nextDrawing() : output.nextMark();
    scope.ids.set(key, id);
  }
  return id;
}

/** Records a reference to a note or comment. Returns the number that the reference contains. */
export function noteReference(
  { kind, id }: { readonly kind: NoteKind; readonly id: number },
  scope: Scope | null,
  output: Output,
): number {
  if (kind !== "comment") return output.note(kind, id, scope);
  const own = idAt({ of: kind, original: id }, scope, output);
  output.comment(id, own, scope);
  return own;
}
