import { QuireError } from "@quire/contracts";
import { withoutGuids } from "./braces.ts";
import { DELIMITERS, type DelimiterOption, type Delimiters } from "./delimiters.ts";

const SINGLE: Delimiters = { start: "{", end: "}" };

/**
 * Returns the delimiters of a template. `text` returns all of its text. Throws `invalid_request` for invalid
 * delimiters.
 */
export function delimitersFor(
  option: DelimiterOption,
  text: () => string,
): { readonly delimiters: Delimiters; readonly bareNames: boolean } {
  if (option === "auto") {
    return withoutGuids(text()).includes(DELIMITERS.start)
      ? { delimiters: DELIMITERS, bareNames: false }
      : { delimiters: SINGLE, bareNames: true };
  }
  const delimiters = option ?? DELIMITERS;
  if (typeof delimiters !== "object") {
    throw new QuireError(
      "invalid_request",
      `The option delimiters must be "auto" or an object, for example { start: "[[", end: "]]" }, not ${JSON.stringify(delimiters)}.`,
    );
  }
  for (const each of [delimiters.start, delimiters.end]) {
    if (typeof each !== "string" || !/^[^\s\w\\"'<>&]{1,5}$/u.test(each)) {
      throw new QuireError(
        "invalid_request",
        "A delimiter must have one to five characters that are not letters, digits, spaces, quotes, backslashes, '<', '>' or '&'.",
      );
    }
  }
  const { start, end } = delimiters;
  if (start.includes(end) || end.includes(start)) {
    throw new QuireError(
      "invalid_request",
      "The delimiters must differ, and neither may be part of the other: tags could not be distinguished from text.",
    );
  }
  const single = delimiters.start === SINGLE.start && delimiters.end === SINGLE.end;
  return { delimiters, bareNames: single };
}

/** Returns delimiters that occur in every template with tags, even if the option is `"auto"`. */
export function widestDelimiters(option: DelimiterOption): Delimiters {
  return option === "auto" ? SINGLE : delimitersFor(option, () => "").delimiters;
}
