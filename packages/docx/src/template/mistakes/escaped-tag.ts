import type { Diagnostic } from "@quire/contracts";
import { placeOf } from "../nodes/diagnostics.ts";
import type { Place } from "../nodes/nodes.ts";

/**
 * The warning for a tag whose backslashes probably belong to a file path: one backslash turns the tag into text, and of
 * two, only one is printed. `text`: the tag with the backslashes.
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
