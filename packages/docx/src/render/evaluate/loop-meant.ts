import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import {
  type Expression,
  type PathExpression,
  spellKey,
} from "../../language/grammar/expression.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { belowRoot } from "./misplaced-names.ts";

/** Returns the hint for `items[i].name` and `d.items[i].name`, where Carbone repeats the items: the loop. */
export function loopMeant(
  expression: Expression,
  path: PathExpression,
  { place, text }: TagOrigin,
  env: Evaluation,
): Wording | null {
  const element = expression.kind === "member" ? expression.of : expression;
  if (element.kind !== "element" || element.of.kind !== "path") return null;
  const { key } = element;
  const below = element.of === path ? belowRoot(path, env) : null;
  const sought = below === null ? path : key.kind === "compute" ? key.left : key;
  if (sought.kind !== "path") return null;
  const isInTable = place.cell !== undefined;
  if (key.kind === "compute") return key.left === sought ? endMeant(sought, isInTable) : null;
  if (key !== sought) return null;
  if (sought.rest.length > 0 || !/^(?:i|first|last)$/.test(sought.source)) return null;
  const list = below ?? element.of.source;
  const keys = expression.kind === "member" ? expression.keys.map(spellKey).join("") : "";
  if (sought.source !== "i") return withTags`Write {{${list}.${sought.source}()${keys}}}.`;
  const [, modifiers = ""] = /\s*(::.*?)\s*\}*$/s.exec(text) ?? [];
  const value = `i${keys}${modifiers === "" ? "" : ` ${modifiers}`}`;
  if (isInTable) {
    return withTags`To repeat the row for each item, write {{tablerow i in ${list}}} at the beginning of its first cell, {{${value}}} in place of this tag, and {{endtablerow}} at the end of its last cell.`;
  }
  return withTags`To repeat text for each item, write {{for i in ${list}}} before it, {{${value}}} in place of this tag, and {{endfor}} after it. For one of them write a number: ${list}[0]${keys}.`;
}

/** `items[i + 1].name`, which ends the repetition in Carbone. */
function endMeant({ source }: PathExpression, isInTable: boolean): Wording | null {
  if (source !== "i") return null;
  return isInTable
    ? withTags`Delete this row: {{endtablerow}} ends the repetition of a row.`
    : withTags`Delete this tag: {{endfor}} ends a repetition.`;
}
