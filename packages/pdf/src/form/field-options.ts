import { PDFArray, type PDFContext, PDFDict, type PDFObject } from "../read/pdf-lib.ts";
import { dictIn, key, nameText, textOf } from "../read/pdf-objects.ts";
import { damaged } from "../read/pdf-problem.ts";
import type { FieldOption, FieldWidget } from "./form-fields.ts";

/** Returns the values that a field lists. Throws {@link PdfProblem} if they are not a list of strings. */
export function optionsOf(value: PDFObject | undefined, context: PDFContext): FieldOption[] {
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().map((element) => {
    const option = context.lookup(element);
    const pair = option instanceof PDFArray ? option : null;
    const text = textOf(pair === null ? option : pair.lookup(0));
    const label = pair === null ? text : textOf(pair.lookup(1));
    if (text === null) throw damaged();
    return { value: text, label: label ?? text };
  });
}

/** Returns the state in which a button is on: the first one that is not called `Off`. Null if there is none. */
export function onState(dict: PDFDict): string | null {
  const normal = dictIn(dict, "AP")?.lookup(key("N"));
  if (!(normal instanceof PDFDict)) return null;
  const state = normal.keys().find((name) => name !== key("Off"));
  return state === undefined ? null : nameText(state);
}

/** Returns the distinct states of a group of buttons. If `values` is not empty, it has a label for each widget. */
export function statesOf(
  widgets: readonly FieldWidget[],
  values: readonly FieldOption[],
): readonly FieldOption[] {
  const states = new Map<string, string>();
  for (const [index, { state }] of widgets.entries()) {
    if (state !== null && !states.has(state)) states.set(state, values[index]?.value ?? state);
  }
  return [...states].map(([value, label]) => ({ value, label }));
}
