import type { Diagnostic } from "../../../errors.ts";
import { unescapeText } from "../../package/xml.ts";
import { withoutGuids } from "../braces.ts";
import { DELIMITERS, type Delimiters } from "../delimiters.ts";
import { holdOwnComments } from "../own-comments.ts";
import { ParagraphCounter } from "../paragraph-counter.ts";
import { textsOfParagraphs } from "../paragraph-texts.ts";
import { type NearTag, nearTags } from "./near-tags.ts";

/** So many characters of a paragraph are quoted on each side. */
const SIDE_LENGTH = 40;

interface Found {
  readonly part: string;
  readonly near: NearTag;
  /** The text of its paragraph. */
  readonly text: string;
  /** Where in the part that begins. */
  readonly position: number;
}

/**
 * The first text of a template without tags that looks like one, as a warning; none where the braces are the text's own,
 * as in code, formulas and JSON. They are as soon as one of them belongs to nothing that looks like a tag,
 * unless a block begins and ends among those that do. `texts` are the canonical XML of all parts that may
 * hold tags.
 */
export function withoutTags(
  texts: ReadonlyMap<string, string>,
  delimiters: Delimiters,
): Diagnostic[] {
  let first: Found | null = null;
  let isOwn = false;
  let opened: string | null = null;
  for (const [part, xml] of texts) {
    for (const { text: escaped, position } of textsOfParagraphs(holdOwnComments(xml), BRACES)) {
      const text = unescapeText(escaped);
      const found = nearTags(text, delimiters).filter(({ at }) => text[at] !== "«");
      isOwn ||= hasOther(text, found);
      for (const near of found) {
        first ??= { part, near, text, position };
        const [, sign, name = ""] = /^\{([#^/])\s*([^}]*)\}/.exec(near.text) ?? [];
        if (sign === "/" && name === opened) {
          return [warning(first, texts, delimiters)];
        }
        if (sign === "#" || sign === "^") opened = name;
      }
    }
  }
  return first === null || isOwn ? [] : [warning(first, texts, delimiters)];
}

const BRACES = ["{", "}"];

/** Whether a text has braces beside what looks like tags, and ids. */
function hasOther(text: string, found: readonly NearTag[]): boolean {
  let at = 0;
  let others = "";
  for (const near of found) {
    others += `${text.slice(at, near.at)} `;
    at = near.at + near.text.length;
  }
  return /[{}]/.test(withoutGuids(others + text.slice(at)));
}

function warning(
  { part, near, text, position }: Found,
  texts: ReadonlyMap<string, string>,
  delimiters: Delimiters,
): Diagnostic {
  const paragraphs = new ParagraphCounter();
  paragraphs.follow(texts.get(part)?.slice(0, position) ?? "");
  const paragraph = paragraphs.innermost?.number;
  const from = Math.max(near.at - SIDE_LENGTH, 0);
  const to = Math.min(near.at + near.text.length + SIDE_LENGTH, text.length);
  return {
    severity: "warning",
    code: "looks_like_tag",
    message: `'${near.text}' looks like a tag, but the template has none: a tag begins with '${delimiters.start}'. It is printed as it stands.`,
    hint: hintFor(near, delimiters),
    template: {
      part,
      ...(paragraph === undefined ? {} : { paragraph }),
      tag: near.text,
      near: `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`,
    },
  };
}

function hintFor({ text, meant }: NearTag, { start, end }: Delimiters): string {
  const write =
    meant === null ? `begin each tag with ${start} and end it with ${end}` : `write ${meant}`;
  const isSingle = start === DELIMITERS.start && /^\{[^{}%]*\}$/.test(text);
  return isSingle
    ? `Compile the template with the delimiters { and } ("auto"), or ${write}.`
    : `${write[0]?.toUpperCase()}${write.slice(1)}.`;
}
