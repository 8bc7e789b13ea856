import type { Diagnostic } from "@quire/contracts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { spell, type Wording, withTags } from "../../language/delimiters/wording.ts";
import { placeOf } from "../nodes/diagnostics.ts";
import type { Place } from "../nodes/nodes.ts";

/** Markup of HTML or Markdown that is typed around a tag. */
interface TypedMarkup {
  readonly text: string;
  /** The offset of the first markup, and of the tag next to it. */
  readonly at: number;
  readonly tagAt: number;
  readonly meaning: "bold" | "italic" | "underline" | "break" | "link" | "other";
}

const NAMES = "b|strong|i|em|u|br|p|span|a|img|h[1-6]|div|ul|li|font";

/**
 * Matches an element of HTML directly before or after a tag, or with a tag in an attribute. Tags are `\0`. The limits
 * keep the time linear.
 */
const ELEMENT = new RegExp(
  `<(?:(${NAMES})(?:\\s[^<>]{0,200})?/?>(?=\\0)|(${NAMES})\\s(?=[^<>]{0,200}\\0)[^<>]{0,400}>)|(?<=\\0)</?(${NAMES})(?:\\s[^<>]{0,200})?/?>`,
  "gi",
);

/** Matches Markdown around a tag. Longer lines are blanks to fill in. */
const MARKDOWN = /(?<!\*)\*\*\0+\*\*(?!\*)|(?<!_)__\0+__(?!_)|\[[^[\]]*\]\(\0+\)/g;

const MEANINGS: Readonly<Record<string, TypedMarkup["meaning"]>> = {
  ...({ b: "bold", strong: "bold", i: "italic", em: "italic", u: "underline" } as const),
  ...({ br: "break", p: "break", div: "break", a: "link" } as const),
};

/** Finds markup next to tags, which must have been replaced with `\0`. Returns at most one piece for each tag. */
export function typedMarkup(scanned: string): TypedMarkup[] {
  const found: TypedMarkup[] = [];
  if (!scanned.includes("\0")) return found;
  for (const match of scanned.matchAll(ELEMENT)) {
    const [text, ...names] = match;
    const name = names.find((each) => each !== undefined)?.toLowerCase() ?? "";
    found.push(foundAt(scanned, match.index, text, MEANINGS[name] ?? "other"));
  }
  for (const { 0: text, index } of scanned.matchAll(MARKDOWN)) {
    found.push(foundAt(scanned, index, text, text.startsWith("[") ? "link" : "bold"));
  }
  const first = new Map(found.toReversed().map((each) => [each.tagAt, each]));
  return found.filter((each) => first.get(each.tagAt) === each);
}

function foundAt(
  scanned: string,
  at: number,
  text: string,
  meaning: TypedMarkup["meaning"],
): TypedMarkup {
  const inside = text.indexOf("\0");
  const isAfter = inside === -1 && scanned[at - 1] === "\0";
  const end = isAfter ? at : at + (inside === -1 ? text.length : inside);
  let tagAt = end;
  while (isAfter && scanned[tagAt - 1] === "\0") tagAt -= 1;
  return { text, at, tagAt, meaning };
}

/** Returns the warning for a piece of markup. `written`: the scanned text with its tags. */
export function markupWarning(
  { text, at, tagAt, meaning }: TypedMarkup,
  written: string,
  delimiters: Delimiters,
  place: Place,
): Diagnostic {
  const shown = written.slice(at, at + text.length).replaceAll("\n", " ");
  const [tag = ""] = written.slice(tagAt, tagAt + 200).split(delimiters.end);
  const content = tag.slice(delimiters.start.length).trim();
  const name = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(content) ? content : "name";
  return {
    severity: "warning",
    code: "looks_like_markup",
    message: `'${shown}' looks like markup next to a tag: it is printed as it is.`,
    hint: spell(hintFor(meaning, name), delimiters),
    template: { ...placeOf(place), near: written.slice(Math.max(at - 40, 0), at + 80) },
  };
}

function hintFor(meaning: TypedMarkup["meaning"], name: string): Wording {
  const look = meaning === "italic" || meaning === "underline" ? meaning : "bold";
  const bold = withTags`for ${look} text write {{${name} :: ${look}}}`;
  if (meaning === "link") {
    return withTags`A template is formatted in Word. For a link write {{${name} :: link("Shop")}}.`;
  }
  if (meaning === "break") {
    return "A template is formatted in Word. For a line break press Shift+Enter in place of it.";
  }
  return withTags`A template is formatted in Word: select the tag and choose the format there, or ${bold}.`;
}
