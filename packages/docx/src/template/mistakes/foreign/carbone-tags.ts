import { type Wording, withTags } from "../../../language/delimiters/wording.ts";

/** Returns the hint for `{d.items[i].name}` and its end, `{d.items[i+1].name}`; null for other tags. */
export function repeatedByCarbone(tag: string): Wording | null {
  const [, list, next, keys = ""] =
    /^\{[dc]\.([\p{L}\p{N}_.]+)\[i(\+1)?\]((?:\.[\p{L}_][\p{L}\p{N}_]*)*)/u.exec(tag) ?? [];
  if (list === undefined) return null;
  return next === undefined
    ? withTags`Write {{for i in ${list}}} before the repeated text, {{i${keys}}} in place of this tag, and {{endfor}} after the text. In a table write {{tablerow i in ${list}}} and {{endtablerow}}.`
    : withTags`Delete this tag: {{endfor}}, or in a table {{endtablerow}}, ends the repetition.`;
}
