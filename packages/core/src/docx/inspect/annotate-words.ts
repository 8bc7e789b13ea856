import type { Diagnostic } from "../../errors.ts";
import type { Delimiters } from "../template/scan.ts";

/** What the stories of a document are called, by the names that programs give to their parts. */
const STORIES: ReadonlyMap<string, string> = new Map([
  ["document", "body"],
  ["header", "header"],
  ["footer", "footer"],
  ["footnotes", "footnotes"],
  ["endnotes", "endnotes"],
  ["comments", "comments"],
  ["core", "document properties"],
  ["app", "document properties"],
  ["custom", "document properties"],
]);

/** A document may have several of these: their names tell them apart. */
const NUMBERED: ReadonlySet<string> = new Set(["header", "footer"]);

/**
 * Where a problem stands, in an author's words: `Under 'Terms', table 2, row 3, cell 1, paragraph 14`,
 * or `In the header header1.xml, paragraph 2`. Empty when the problem has no place in the template.
 */
export function placeInWords({ template }: Diagnostic): string {
  if (template === undefined) return "";
  const { part, heading, table, row, cell, paragraph } = template;
  const story = storyOf(part);
  const words = heading === undefined ? [] : [`under '${heading}'`];
  const numbers = Object.entries({ table, row, cell, paragraph });
  for (const [name, number] of numbers) if (number) words.push(`${name} ${number}`);
  if (story !== "body" || words.length === 0) words.unshift(`in the ${story}`);
  const text = words.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the part of a problem is called. */
function storyOf(name: string): string {
  // The part of a template that is included stands behind the template's name.
  const colon = name.lastIndexOf(":");
  const included = colon === -1 ? "" : ` of ${name.slice(0, colon)}`;
  return `${ownStoryOf(name.slice(colon + 1))}${included}`;
}

function ownStoryOf(part: string): string {
  const file = part.slice(part.lastIndexOf("/") + 1);
  const [, kind = ""] = /^([a-z]+)\d*\.xml$/i.exec(file) ?? [];
  const name = STORIES.get(kind.toLowerCase());
  if (name === undefined) return `part ${part}`;
  return NUMBERED.has(name) ? `${name} ${file}` : name;
}

/**
 * Stands within the delimiters of tags that a comment quotes. The comments of a template may hold tags
 * themselves, so a quoted tag would be one, and with it the annotated copy could have other problems
 * than the template. It is zero-width, and Word's own name for it is "no-width non break".
 */
const JOINER = "\u200d";

/** How far the full-width forms of ASCII characters stand behind these. */
const TO_FULL_WIDTH = 0xfee0;

/** A text that quotes tags, so that the compiler finds none in it. */
export function withoutTags(text: string, { start, end }: Delimiters): string {
  return divided(divided(text, start), end);
}

function divided(text: string, delimiter: string): string {
  const [first = "", ...others] = delimiter;
  // Nothing can stand within a single character, so it becomes one that looks like it.
  if (others.length === 0) return text.replaceAll(first, lookalike(first));
  let result = text;
  // Once is not enough: in `{{{` one stands within the other.
  while (result.includes(delimiter)) {
    result = result.replaceAll(delimiter, first + JOINER + others.join(""));
  }
  return result;
}

function lookalike(character: string): string {
  const code = character.charCodeAt(0);
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code + TO_FULL_WIDTH) : "'";
}
