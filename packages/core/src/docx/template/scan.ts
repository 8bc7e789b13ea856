/** What begins and what ends a tag. */
export interface Delimiters {
  readonly start: string;
  readonly end: string;
}

/** The delimiters of a tag, unless the caller names others. */
export const DELIMITERS: Delimiters = { start: "{{", end: "}}" };

/** A piece of a plain text: text that stands for itself, or a tag. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "tag";
      /** What stands between the delimiters. */
      readonly content: string;
      /** The tag as it is written. */
      readonly text: string;
    };

/**
 * Finds the tags of a plain text, such as an attribute or a pattern of file names. A backslash before a
 * delimiter makes it text. A delimiter without its counterpart stays in the text and is told as `stray`.
 */
export function scanTags(
  source: string,
  { start, end }: Delimiters,
): { readonly pieces: readonly Piece[]; readonly stray: boolean } {
  const pieces: Piece[] = [];
  let stray = false;
  let text = "";
  let at = 0;
  for (let open = source.indexOf(start); open !== -1; open = source.indexOf(start, at)) {
    if (source[open - 1] === "\\" && open > at) {
      const close = closeOf(source, open + start.length, { start, end });
      const until = close === -1 ? open + start.length : close + end.length;
      text += source.slice(at, open - 1) + source.slice(open, until);
      at = until;
      continue;
    }
    const close = source.indexOf(end, open + start.length);
    if (close === -1) break;
    const before = source.slice(at, open);
    stray ||= before.includes(end);
    text += before;
    if (text !== "") pieces.push({ kind: "text", text });
    text = "";
    at = close + end.length;
    const content = source.slice(open + start.length, close);
    stray ||= content.includes(start);
    pieces.push({ kind: "tag", content, text: source.slice(open, at) });
  }
  const rest = source.slice(at);
  stray ||= rest.includes(start) || rest.includes(end);
  text += rest;
  if (text !== "") pieces.push({ kind: "text", text });
  return { pieces, stray };
}

/** The end delimiter that belongs to an escaped start: the next one, unless a tag begins before it. */
function closeOf(source: string, from: number, { start, end }: Delimiters): number {
  const close = source.indexOf(end, from);
  const next = source.indexOf(start, from);
  return next !== -1 && next < close ? -1 : close;
}
