import { holdsForbidden } from "../text.ts";
import type { Counter } from "./lists.ts";
import type {
  Alignment,
  BlockPlace,
  RichBlock,
  RichFormat,
  RichImage,
  RichItem,
  RichList,
  RichRun,
} from "./model.ts";
import { readSigns } from "./signs.ts";
import type { RichWarnings } from "./warnings.ts";

/** An item of a list. Its first block gets the marker. */
export interface ItemMark {
  readonly list: RichList;
  readonly number: number;
  /** The source node that became the marker and is therefore not printed, or null. */
  readonly drawn: object | null;
  used: boolean;
}

/** The state for the text at a position in the source. */
export interface State extends BlockPlace {
  readonly format: RichFormat;
  readonly href: string | null;
  /** The treatment of white space, as in CSS. */
  readonly space: "normal" | "pre" | "pre-line";
  readonly align: Alignment | null;
  readonly direction: "ltr" | "rtl" | null;
  readonly heading: number;
  readonly item: ItemMark | null;
  /** Counts the items of the surrounding list. */
  readonly counter: Counter | null;
}

/** The state at the start of every document and of every table cell. */
export const START: State = {
  format: {},
  href: null,
  space: "normal",
  align: null,
  direction: null,
  heading: 0,
  item: null,
  counter: null,
  quote: 0,
  indent: 0,
  listDepth: 0,
};

/** Returns the properties that a block takes from the state. */
export function placeOf({ quote, indent, listDepth }: State): BlockPlace {
  return { quote, indent, listDepth };
}

interface OpenParagraph {
  readonly state: State;
  readonly item: RichItem | null;
  readonly runs: RichRun[];
  /** Whether following white space is dropped, because white space or nothing precedes it. */
  spaced: boolean;
  /** Whether the text ends with a space that is dropped at the end of the line. */
  trailing: boolean;
}

/** Collects text in paragraphs, with white space as in HTML. */
export class BlockBuilder {
  readonly blocks: RichBlock[] = [];
  readonly #warnings: RichWarnings;
  #open: OpenParagraph | null = null;
  /** Whether the content began with white space. */
  #leading = false;

  constructor(warnings: RichWarnings) {
    this.#warnings = warnings;
  }

  /** Adds the text of an element with the given state. */
  text(text: string, state: State): void {
    if (holdsForbidden(text)) this.#warnings.add("forbidden_character");
    const { signs } = state.format;
    if (signs === undefined) {
      this.#text(text, state);
      return;
    }
    const { text: read, format, font } = readSigns(text, state.format, signs);
    if (font !== null) this.#warnings.add("unsupported_markup", `symbols of ${font}`);
    this.#text(read, { ...state, format });
  }

  #text(text: string, state: State): void {
    if (state.space === "pre") {
      this.#append(text, state, false);
      return;
    }
    const collapsed = collapse(text, state.space);
    const atStart = this.#open === null;
    if (atStart && this.blocks.length === 0 && collapsed.startsWith(" ")) this.#leading = true;
    const follows = (this.#open?.spaced ?? true) && collapsed.startsWith(" ");
    const added = follows ? collapsed.slice(1) : collapsed;
    if (added !== "") this.#append(added, state, added.endsWith(" "));
  }

  /** Adds the line break of a `<br>`. */
  lineBreak(state: State): void {
    if (this.#open !== null) trimEnd(this.#open);
    this.#append("\n", state, false);
    if (this.#open !== null) this.#open.spaced = true;
  }

  image(image: Omit<RichImage, "kind" | "format" | "href">, state: State): void {
    const open = this.#paragraph(state);
    open.runs.push({ kind: "image", ...image, format: state.format, href: state.href });
    open.spaced = false;
    open.trailing = false;
  }

  /** Ends the paragraph, if there is one. A line break at its end has no effect, as in browsers. */
  endParagraph(): void {
    const open = this.#open;
    if (open === null) return;
    trimEnd(open);
    const last = open.runs.at(-1);
    if (last?.kind === "text" && last.text.endsWith("\n"))
      replaceLast(open, last.text.slice(0, -1));
    this.#close(open);
  }

  /** Adds a block at the end. */
  add(block: RichBlock): void {
    this.endParagraph();
    this.blocks.push(block);
  }

  /** Adds a paragraph for the marker of an item that is empty or begins with another block. */
  markItem(state: State): void {
    this.endParagraph();
    if (state.item === null || state.item.used) return;
    this.#paragraph(state);
    this.endParagraph();
  }

  /**
   * Ends a document without blocks. White space at its start and end is kept, because it separates words of the
   * surrounding text.
   */
  endInline(): void {
    const open = this.#open ?? (this.#leading ? this.#paragraph(START) : null);
    if (open === null) return;
    if (this.#leading) open.runs.unshift({ kind: "text", text: " ", format: {}, href: null });
    this.#close(open);
  }

  #paragraph(state: State): OpenParagraph {
    if (this.#open !== null) return this.#open;
    const { item: mark } = state;
    const item =
      mark === null ? null : { list: mark.list, number: mark.number, continuation: mark.used };
    if (mark !== null) mark.used = true;
    this.#open = { state, item, runs: [], spaced: true, trailing: false };
    return this.#open;
  }

  #append(text: string, state: State, trailing: boolean): void {
    const open = this.#paragraph(state);
    const last = open.runs.at(-1);
    if (last?.kind === "text" && last.format === state.format && last.href === state.href) {
      replaceLast(open, last.text + text);
    } else {
      open.runs.push({ kind: "text", text, format: state.format, href: state.href });
    }
    open.spaced = trailing;
    open.trailing = trailing;
  }

  #close({ state, item, runs }: OpenParagraph): void {
    this.#open = null;
    const { heading, align, direction } = state;
    const place = placeOf(state);
    this.blocks.push({ kind: "paragraph", heading, item, align, direction, runs, ...place });
  }
}

function collapse(text: string, space: "normal" | "pre-line"): string {
  if (space === "normal") return text.replace(/[ \t\n\r\f]+/g, " ");
  return text
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f]+/g, " "))
    .map((line, index, all) => trimmedLine(line, index > 0, index < all.length - 1))
    .join("\n");
}

/** Removes the spaces next to line feeds from a line. */
function trimmedLine(line: string, start: boolean, end: boolean): string {
  const from = start && line.startsWith(" ") ? 1 : 0;
  return end && line.length > from && line.endsWith(" ") ? line.slice(from, -1) : line.slice(from);
}

function trimEnd(open: OpenParagraph): void {
  const last = open.runs.at(-1);
  if (!open.trailing || last?.kind !== "text") return;
  replaceLast(open, last.text.slice(0, -1));
  open.trailing = false;
}

function replaceLast(open: OpenParagraph, text: string): void {
  const last = open.runs.pop();
  if (last?.kind === "text" && text !== "") open.runs.push({ ...last, text });
}
