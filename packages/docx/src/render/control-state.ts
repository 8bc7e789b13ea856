import { isoDay } from "../format/format-date.ts";
import type { Op } from "../program/ops.ts";
import type { TextOp } from "../program/tag-ops.ts";
import { argumentOf } from "../values/modifiers.ts";
import { isTruthy } from "./evaluate/compare/compare.ts";
import { placeOf } from "./evaluate/context/pointers.ts";
import { evaluateTag, type PrintContext, printFound } from "./evaluate/print-tag.ts";

/**
 * Returns the attribute with the state of a content control. Returns an empty string if the value does not give a
 * state, such as text in a date control. Text that is not in a closed list gives a `not_in_list` diagnostic.
 */
export function stateXml(op: Extract<Op, { op: "state" }>, context: PrintContext): string {
  const found = evaluateTag(op.value, context);
  if (op.of === "checkbox") {
    return ` w14:val="${found.kind === "value" && isTruthy(found.value) ? 1 : 0}"`;
  }
  if (found.kind !== "value") return "";
  const { value, op: tag } = found;
  if (op.of === "date") {
    const day = isoDay(value, argumentOf(tag.modifiers, "format"), context.options);
    return day === null ? "" : ` w:fullDate="${day}T00:00:00Z"`;
  }
  const text = printFound(tag, value, context);
  const entry = text === null ? undefined : op.entries.get(text);
  if (entry !== undefined) return ` w:lastValue="${entry}"`;
  if (op.isClosed && text !== null && text !== "") reportOutside(op.value, context);
  return "";
}

function reportOutside({ origin, expression }: TextOp, { env, diagnostics }: PrintContext): void {
  diagnostics.warn(
    origin,
    "not_in_list",
    `The text that the tag ${origin.text} prints is not an entry of its drop-down list.`,
    placeOf(expression, env),
    () => "Correct the value, add the entry to the list in Word, or make the list a combo box.",
  );
}
