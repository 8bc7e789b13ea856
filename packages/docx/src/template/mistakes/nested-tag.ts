import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import { type Dialect, directiveOf } from "../../language/directive.ts";
import { BY_DATA } from "../../language/parse-include.ts";
import { TagSyntaxError } from "../../language/tokens.ts";
import { INNER } from "../nodes/scan.ts";

/** Returns the problem of a tag within a tag. `nested`: the content with {@link INNER} for each delimiter in it. */
export function nestedTag(nested: string, text: string, dialect: Dialect): TagSyntaxError {
  return new TagSyntaxError(`${text} contains a tag within a tag.`, hintFor(nested, dialect));
}

function hintFor(nested: string, dialect: Dialect): Wording {
  if (/^\s*include\b/.test(nested)) return BY_DATA;
  const joined = nested.replace(new RegExp(QUOTED, "gu"), joinedText).replaceAll(INNER, "").trim();
  if (QUOTED.test(nested) && directiveOf(joined, dialect) !== null) {
    return withTags`A text in quotes contains no tags. Write {{${joined}}}.`;
  }
  if (isInName(nested)) {
    return "A name cannot be built from values: write the whole path of the value into the tag.";
  }
  const meant = nested.replaceAll(INNER, "").trim();
  return directiveOf(meant, dialect) !== null
    ? withTags`Inside a tag no braces are needed: write {{${meant}}}.`
    : withTags`Inside a tag no braces are needed. Where two tags are meant, end the first with }} before the second begins; to print the characters themselves, write \\{{.`;
}

/** Matches a text in quotes that contains tags. */
const QUOTED = new RegExp(`(["'])((?:(?!\\1).)*${INNER}(?:(?!\\1).)*)\\1`, "u");

/** Returns the call that joins a text with the values of the tags in it. */
function joinedText(_all: string, quote: string, text: string): string {
  const pieces = text.split(new RegExp(`${INNER}+`));
  const parts = pieces.map((piece, index) =>
    index % 2 === 1 ? piece.trim() : quote + piece + quote,
  );
  const given = parts.filter((part) => part !== quote + quote);
  return given.length === 1 ? (given[0] ?? "") : `$concat(${given.join(", ")})`;
}

/** Whether a tag is within a name, such as `customer.{{key}}`. */
function isInName(nested: string): boolean {
  const pieces = nested.split(new RegExp(`${INNER}+`));
  return pieces.some((piece, index) => {
    if (index % 2 === 1) return false;
    return (
      (index > 0 && /^[\p{L}\p{N}_.[]/u.test(piece)) ||
      (index < pieces.length - 1 && /[\p{L}\p{N}_.[]$/u.test(piece))
    );
  });
}
