import type { Delimiters } from "./delimiters.ts";

/** A range of text. `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A tag with its delimiters. */
export interface TagSpan extends Span {
  /** The delimiters of tags within it, in order. Tags within tags are a mistake. */
  readonly inner: readonly Span[];
}

/** The code of the problem for a delimiter without a counterpart. */
export type StrayDelimiter = "unclosed_tag" | "unopened_tag";

/** The meaning of the delimiters in text. */
export interface Braces {
  /** The tags in text order, without tags inside others. */
  readonly tags: readonly TagSpan[];
  /** Backslashes that are not printed: each defines the meaning of the delimiter after it. */
  readonly dropped: readonly number[];
  /** Delimiters, or parts of delimiters, that are text. */
  readonly literals: readonly Span[];
  /** Tags whose preceding backslashes probably belong to a file path. */
  readonly doubtful: readonly Span[];
  /** Tags that a backslash turns into text, including the backslash. */
  readonly escaped: readonly Span[];
  /** Delimiters without a counterpart, opening ones first. */
  readonly strays: readonly Stray[];
}

/** A delimiter without a counterpart. */
export interface Stray {
  readonly code: StrayDelimiter;
  readonly at: number;
}

/** Whether the content between two delimiters can be read as a tag. */
export type Reads = (content: string) => boolean;

/** What {@link readBraces} needs to know about the text. */
interface TextContext {
  /** Whether text in braces can be read as a tag. Called for text that would be a tag if a brace were added. */
  readonly reads: Reads;
  /**
   * Whether a position is in the instruction of a field, where two backslashes mean one. Called with ascending
   * positions.
   */
  readonly isInstruction: (at: number) => boolean;
}

/** Determines the meaning of each delimiter in text, in one pass. */
export function readBraces(text: string, delimiters: Delimiters, context: TextContext): Braces {
  const reader = new BraceReader(text, delimiters, context);
  const next = firstOf(text, reader.characters);
  for (let at = next(0); at < text.length; ) at = next(reader.read(at));
  return reader.finish();
}

const GUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/iy;
const GUID_LENGTH = 36;

/** Returns the text without the ids that programs write between braces, which are never tags. */
export function withoutGuids(text: string): string {
  return text.replace(/\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}/gi, " ");
}

/** Brackets that form pairs, even if they are not delimiters. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
  ["(", ")"],
]);

/** After one of these characters, a backslash belongs to a file path: `share\{{user}}`, `C:\{{name}}`. */
const IN_PATH = /[\p{L}\p{N}_$%.:)\]}-]/u;

/** After one of these characters, two backslashes begin the name of a server: `\\{{server}}`. */
const APART = /[\s"'“„«(]/;

/** Maximum number of characters in a tag with a missing or partial delimiter. */
export const TAG_LENGTH = 100;

interface OpenTag {
  readonly from: number;
  /** The number of backslashes before the tag. */
  readonly slashes: number;
}

class BraceReader {
  /** The characters at which to read: the first characters of the delimiters, and brackets. */
  readonly characters: readonly string[];
  readonly #text: string;
  readonly #start: string;
  readonly #end: string;
  readonly #context: TextContext;
  /**
   * The last character of the opening delimiter if it is a bracket, and if the closing delimiter consists only of
   * matching brackets; otherwise null.
   */
  readonly #bracket: string | null;
  readonly #closed: Span[] = [];
  readonly #dropped: number[] = [];
  readonly #literals: Span[] = [];
  readonly #doubtful: Span[] = [];
  readonly #escaped: Span[] = [];
  readonly #open: OpenTag[] = [];
  /** The positions of open brackets that are text. */
  readonly #brackets: number[] = [];
  /** The position of the backslash before an opening delimiter that is text, until the closing delimiter is found. */
  #escape: number | null = null;
  /** The end of the last delimiter. */
  #floor = 0;
  /** The end of the last tag; -1 if a bracket there may be a third closing bracket of the tag. */
  #behindTag = -1;
  readonly #unopened: number[] = [];

  constructor(text: string, { start, end }: Delimiters, context: TextContext) {
    this.#text = text;
    this.#start = start;
    this.#end = end;
    this.#context = context;
    const bracket = start.at(-1) ?? "";
    const closing = PAIRS.get(bracket) ?? "";
    this.#bracket = closing !== "" && end === closing.repeat(end.length) ? bracket : null;
    const brackets = this.#bracket === null ? [] : [bracket, closing];
    this.characters = [...new Set([start[0] ?? "", end[0] ?? "", ...brackets])];
  }

  /** Reads the delimiter or bracket at a position. Returns the position at which to continue. */
  read(at: number): number {
    if (this.#text.startsWith(this.#start, at)) this.#floor = this.#readStart(at);
    else if (this.#text.startsWith(this.#end, at)) this.#floor = this.#readEnd(at);
    else {
      this.#readBracket(at);
      return at + 1;
    }
    return this.#floor;
  }

  finish(): Braces {
    const tags: (Span & { readonly inner: Span[] })[] = [];
    for (const { from, to } of this.#closed.toSorted((a, b) => a.from - b.from)) {
      const outer = tags.at(-1);
      if (outer === undefined || from >= outer.to) tags.push({ from, to, inner: [] });
      else {
        outer.inner.push({ from, to: from + this.#start.length });
        outer.inner.push({ from: to - this.#end.length, to });
      }
    }
    for (const { inner } of tags) inner.sort((a, b) => a.from - b.from);
    return {
      tags,
      dropped: this.#dropped,
      literals: this.#literals,
      doubtful: this.#doubtful,
      escaped: this.#escaped,
      strays: [
        ...this.#open.map(({ from }) => ({ code: "unclosed_tag", at: from }) as const),
        ...this.#unopened.map((at) => ({ code: "unopened_tag", at }) as const),
      ],
    };
  }

  #readStart(at: number): number {
    const behind = at + this.#start.length;
    GUID.lastIndex = behind;
    const guid = behind + GUID_LENGTH;
    if (GUID.test(this.#text) && this.#text.startsWith(this.#end, guid)) {
      this.#literals.push({ from: at, to: behind }, { from: guid, to: guid + this.#end.length });
      return guid + this.#end.length;
    }
    const slashes = this.#backslashesBefore(at);
    this.#escape = null;
    if (slashes === 1) {
      this.#dropped.push(at - 1);
      this.#literals.push({ from: at, to: behind });
      this.#escape = at - 1;
      return behind;
    }
    const isKept = slashes > 0 && slashes % 2 === 0 && this.#context.isInstruction(at);
    if (slashes > 1 && !isKept && this.#open.length === 0) this.#dropped.push(at - 1);
    this.#open.push({ from: at, slashes: isKept ? 0 : slashes });
    return behind;
  }

  #readEnd(at: number): number {
    const to = at + this.#end.length;
    const isInTag = this.#open.length > 0;
    if (this.#escape === null && isInTag) {
      this.#closeTag(to);
      return to;
    }
    const escaped = !isInTag && this.#backslashesBefore(at) > 0;
    if (escaped) this.#dropped.push(at - 1);
    if (this.#escape !== null) {
      if (!isInTag) this.#escaped.push({ from: this.#escape, to });
      if (!isInTag && IN_PATH.test(this.#text[this.#escape - 1] ?? "")) {
        this.#doubtful.push({ from: this.#escape, to });
      }
      this.#escape = null;
    } else if (!escaped && !this.#closesBrackets(at)) {
      this.#unopened.push(at);
      this.#brackets.pop();
      return to;
    }
    this.#literals.push({ from: at, to });
    return to;
  }

  #closeTag(to: number): void {
    const tag = this.#open.pop();
    if (tag === undefined) return;
    const { from, slashes } = tag;
    this.#closed.push({ from, to });
    if (this.#open.length > 0) return;
    // A tag that begins with three brackets may end with three.
    const isTriple = this.#text[from + this.#start.length] === this.#bracket;
    this.#behindTag = isTriple ? -1 : to;
    const isServer = slashes === 2 && (from === 2 || APART.test(this.#text[from - 3] ?? ""));
    if (isServer) this.#doubtful.push({ from: from - 2, to });
  }

  /** Whether a closing delimiter that ends no tag closes brackets of the text, as in JSON. */
  #closesBrackets(at: number): boolean {
    const { length } = this.#end;
    const last = this.#brackets.at(-1);
    if (last === undefined || this.#brackets.length < length) return false;
    // In `{name}}`, a brace is missing.
    const content = this.#text.slice(last + 1, at);
    if (content.length <= TAG_LENGTH && this.#context.reads(content)) return false;
    this.#brackets.length -= length;
    return true;
  }

  #readBracket(at: number): void {
    if (this.#bracket === null || this.#open.length > 0) return;
    if (this.#text[at] === this.#bracket) this.#brackets.push(at);
    else if (this.#text[at] === PAIRS.get(this.#bracket)) {
      const closes = this.#brackets.pop() !== undefined;
      // Directly after a tag, the bracket would seem to belong to the tag.
      if (closes && at === this.#behindTag) this.#literals.push({ from: at, to: at + 1 });
    }
  }

  #backslashesBefore(at: number): number {
    let from = at;
    while (from > this.#floor && this.#text[from - 1] === "\\") from -= 1;
    return at - from;
  }
}

/** Returns a function that finds the first of these characters from a position on. Pass ascending positions to it. */
export function firstOf(text: string, characters: readonly string[]): (from: number) => number {
  const found = characters.map(() => -1);
  return (from) => {
    for (const [index, character] of characters.entries()) {
      if ((found[index] ?? 0) >= from) continue;
      const at = text.indexOf(character, from);
      found[index] = at === -1 ? Number.POSITIVE_INFINITY : at;
    }
    return Math.min(...found);
  };
}
