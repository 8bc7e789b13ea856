import { type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { isPlainName } from "../../../language/grammar/expression.ts";

/** Returns the hint for a loop over an object in place of a list. `source`: the object as the tag names it. */
export function objectRepeated(value: unknown, source: string): Wording {
  const keys = Object.keys(value ?? {}).filter(isPlainName);
  const lists = keys.filter((each) => {
    return Array.isArray(Object.getOwnPropertyDescriptor(value, each)?.value);
  });
  const [list, other] = lists;
  if (list !== undefined && other !== undefined) {
    return withTags`It has the lists '${list}' and '${other}': repeat one of them, as in ${source}.${list}, or all of them: {{for k in ${source}.entries()}}{{for i in k.value}} … {{endfor}}{{endfor}}. The name of a list is {{k.key}}.`;
  }
  if (list !== undefined) return `It has the list '${list}': repeat ${source}.${list}.`;
  const key = keys[0] ?? "name";
  return withTags`For the one object leave out the loop, and write {{${source}.${key}}}. To keep the loop, give a list: [ … ], or write [${source}]. For the keys and values of the object repeat ${source}.entries().`;
}
