import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { LOOKS } from "../../../language/grammar/modifier-signatures.ts";
import { columnMeant } from "../../../language/looks.ts";
import type { ModifierCall } from "../../../language/modifiers.ts";

/** A tag whose value is missing. */
export interface MissingTag {
  readonly expression: Expression;
  readonly modifiers: readonly ModifierCall[];
  readonly text: string;
}

/** `{{column :: fill("red")}}` and `{{row :: height("2cm")}}`: changes that are not possible. */
export function elementHint({ expression, modifiers, text }: MissingTag): Wording | null {
  if (expression.kind !== "path" || expression.rest.length > 0) return null;
  const name = expression.source;
  if (!text.includes("::")) {
    return name === "merge"
      ? withTags`To merge cells with equal values, write the value first: {{i.city :: merge}}.`
      : null;
  }
  const merge = modifiers.find((call) => call.name.startsWith("merge"));
  if (merge !== undefined && /^(?:cell|row)$/.test(name)) {
    const [, key = "i.key"] = /\bmerge\w*\(\s*([\p{L}_][\p{L}\p{N}_.]*)\s*\)/u.exec(text) ?? [];
    return withTags`Only cells are merged, by the tag of a value: write {{${key} :: ${merge.name}}}.`;
  }
  if (
    !/^(?:cell|row|column|col|table|paragraph|line|page|shape|section|list|heading|header|footer|box|textbox|picture|image|document|run)$/i.test(
      name,
    )
  )
    return null;
  const [width = null] = /\bwidth\((?:[^()]|\([^()]*\))*\)/.exec(text) ?? [];
  const column = columnMeant(expression, width);
  if (column !== null) return column;
  if (modifiers.some((call) => call.name === "width" || call.name === "height")) {
    return "Set the height of rows and the size of shapes in Word.";
  }
  if (/^col(?:umn)?s?$/i.test(name) && LOOK.test(text)) {
    return `A tag changes only the width of a column. For its look write ${text.replace(name, "cell")} into each of its cells.`;
  }
  return LOOK.test(text)
    ? withTags`A tag changes the look of its cell, its row or its paragraph, or the fill of its shape: write {{cell :: …}}, {{row :: …}}, {{paragraph :: …}} or {{shape :: fill("red")}}.`
    : null;
}

const LOOK = new RegExp(`::\\s*(?:${LOOKS.join("|")})(?![\\p{L}\\p{N}_])`, "u");
