import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import { hintForPrinted } from "../../values/arguments/print-hints.ts";
import { placeOf } from "../evaluate/context/pointers.ts";
import type { PrintContext } from "../evaluate/print-tag.ts";

/** Reports a value that a chart cannot show; undefined for a missing one. */
export function reportChartValue(
  op: TextOp,
  value: unknown,
  { env, diagnostics, options }: PrintContext,
): void {
  const { origin, expression } = op;
  diagnostics.invalid(
    origin,
    `${value === undefined ? "is missing" : "is not a number"}, so the chart cannot show it`,
    placeOf(expression, env),
    () => hintFor(op, value, options.locale),
  );
}

function hintFor(op: TextOp, value: unknown, locale: string): Wording {
  const source = sourceOf(op);
  if (value === undefined) {
    return withTags`Give a number in the data, or write what counts in its place, as in {{${source} ?? 0}}. For a gap in the chart write {{${source} :: optional}}.`;
  }
  if (value === "") {
    return withTags`The text is empty. For a gap in the chart write {{${source} :: optional}}, or write what counts in its place, as in {{$if(${source} == "", 0, ${source})}}.`;
  }
  if (typeof value !== "string") return "Give a number in the data.";
  return (
    hintForPrinted(op.expression, [], value, locale) ??
    withTags`Give a number in the data. For a text that means no value write what counts in its place, as in {{$if(${source} == "n/a", 0, ${source})}}, or leave a gap in the chart: {{$if(${source} == "n/a", "", ${source}) :: optional}}.`
  );
}

/** Returns the value of a tag as written, in parentheses if it is a computation. */
function sourceOf({ origin: { text, delimiters }, expression }: TextOp): string {
  const content = text.slice(delimiters.start.length, text.length - delimiters.end.length);
  const [value = ""] = content.split("::");
  return expression.kind === "compute" || expression.kind === "negate"
    ? `(${value.trim()})`
    : value.trim();
}
