import { type Diagnostic, pointerPath } from "@quire/contracts";
import type { Expression } from "@quire/docx/internal/language/grammar/expression";
import type { Op } from "@quire/docx/internal/program/ops";
import type { Programs } from "@quire/docx/internal/program/programs";
import type { TextOp } from "@quire/docx/internal/program/tag-ops";
import type { TagNode } from "@quire/docx/internal/template/nodes/nodes";
import { type TaggedField, tagNode } from "./form-tags.ts";

/** A form in the format of a compiled Word template, used to derive the data that the form expects. */
export interface InspectedForm {
  readonly programs: Programs["programs"];
  readonly notes: readonly [];
  readonly tags: readonly TagNode[];
}

/** Returns the data that the fields of a form expect, as ops that are never run. */
export function inspectedForm(fields: readonly TaggedField[]): InspectedForm {
  return {
    programs: [{ part: "form", ops: fields.flatMap(opsOf) }],
    notes: [],
    tags: fields.map(tagNode),
  };
}

function opsOf({ field, op }: TaggedField): Op[] {
  const [first, ...others] = field.options;
  if (field.kind === "text" || first === undefined) return [op];
  if (field.kind === "button" && others.length === 0) return [asBox(op)];
  const value = field.kind === "button" ? first.label : first.value;
  return [op, looksFor(op, value)];
}

function asBox(op: TextOp): TextOp {
  return { ...op, modifiers: [...op.modifiers, { name: "checkbox", arguments: [] }] };
}

/** Returns a comparison with the value, so that the inspection treats it as a likely value. */
function looksFor({ origin, expression }: TextOp, value: string): Op {
  const right: Expression = { kind: "literal", value };
  const condition: Expression = { kind: "compare", operator: "==", left: expression, right };
  return { op: "choose", branches: [{ origin, condition, body: [] }] };
}

const TOO_LONG = new Set(["value_too_long", "value_does_not_fit", "text_shrunk"]);

/** Shortens or replaces the values of a sample that their fields cannot show. Returns whether any changed. */
export function corrected(sample: object, found: readonly Diagnostic[]): boolean {
  let changed = false;
  for (const { code, pointer } of found) {
    const isUnprintable = code === "unprintable_character";
    if (!(isUnprintable || TOO_LONG.has(code)) || pointer === undefined) continue;
    const keys = pointerPath(pointer);
    const last = keys.pop() ?? "";
    const holder = keys.reduce<unknown>(inside, sample);
    const value = inside(holder, last);
    const other = isUnprintable ? PRINTABLE : shorterThan(value);
    if (other === undefined) continue;
    (holder as Record<string, unknown>)[last] = other;
    changed = true;
  }
  return changed;
}

function inside(holder: unknown, key: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key))
    return undefined;
  return (holder as Record<string, unknown>)[key];
}

/** Replaces a sample that was made from a key in a script that fields cannot print. */
const PRINTABLE = "Text";

/** Returns a shorter value; undefined if it cannot be shortened. */
function shorterThan(value: unknown): unknown {
  if (typeof value === "string" && value.length > 1) return value.slice(0, value.length / 2).trim();
  return typeof value === "number" && value > 1 ? 1 : undefined;
}
