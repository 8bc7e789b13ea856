import type { Diagnostic } from "@quire/contracts";
import { placeOf } from "../nodes/diagnostics.ts";
import type { Place } from "../nodes/nodes.ts";

/**
 * Returns the warning for a tag whose preceding backslashes probably belong to a file path. One backslash turns the tag
 * into text; of two backslashes, only one is printed. `text`: the tag with the backslashes.
 */
export function escapedTag(text: string, near: string, place: Place): Diagnostic {
  const tag = text.replace(/^\\+/, "");
  const isText = text.length === tag.length + 1;
  return {
    severity: "warning",
    code: "escaped_tag",
    message: isText
      ? `'${text}' prints '${tag}' itself: a backslash before a tag turns it into text.`
      : `'${text}' prints one backslash before the value.`,
    hint: `Write \\${text} if ${isText ? "a backslash" : "two backslashes"} and the value are meant.`,
    template: { ...placeOf(place), tag: text, near },
  };
}
