import type { Diagnostic } from "../../../errors.ts";
import type { Place } from "../nodes.ts";
import { placeOf } from "./diagnostics.ts";

/**
 * The warning of a tag whose backslashes are probably those of a path: one makes text of the tag, and of
 * two only one prints. `text` is the tag with them.
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
