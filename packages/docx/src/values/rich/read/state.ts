import type { State } from "../builder.ts";
import { parseLength } from "../css.ts";
import type { HtmlElement } from "../element.ts";
import { formatWithin } from "../format.ts";
import { type Alignment, LIST_INDENT } from "../model.ts";

/** Maximum indent, in twentieths of a point: half a page. */
const MAX_INDENT = 5000;

/** Maximum number of nested quotes that are indented. */
const MAX_QUOTES = 8;

const ALIGNMENTS: ReadonlyMap<string, Alignment> = new Map([
  ["start", "start"],
  ["end", "end"],
  ["left", "left"],
  ["right", "right"],
  ["center", "center"],
  ["middle", "center"],
  ["-webkit-center", "center"],
  ["justify", "justify"],
]);

/** Returns the state for the content of a block element. */
export function stateInBlock(outer: State, element: HtmlElement): State {
  const { name, style } = element;
  const state = stateInInline(outer, element);
  const heading = /^h[1-6]$/.test(name) ? Number(name[1]) : outer.heading;
  const quote = Math.min(MAX_QUOTES, outer.quote + (name === "blockquote" ? 1 : 0));
  const margin = points(style.get("margin-left")) + points(style.get("padding-left"));
  const indent = outer.indent + (name === "dd" ? LIST_INDENT : 0) + margin * 20;
  return {
    ...state,
    direction: directionOf(element) ?? outer.direction,
    heading,
    quote,
    indent: Math.round(Math.min(MAX_INDENT, Math.max(0, indent))),
    align: alignmentOf(element) ?? outer.align,
  };
}

/** Returns the state for the content of an inline element. */
export function stateInInline(outer: State, { name, attributes, style }: HtmlElement): State {
  const format = formatWithin(outer.format, name, attributes, style);
  const space = spaceOf(name, style.get("white-space")) ?? outer.space;
  return format === outer.format && space === outer.space ? outer : { ...outer, format, space };
}

/** Returns the alignment of lines that an element sets. */
export function alignmentOf({ name, attributes, style }: HtmlElement): Alignment | null {
  const said = style.get("text-align");
  // The attribute `align` of a table aligns the table itself, not its lines.
  const attribute = name === "table" ? undefined : attributes.get("align")?.trim().toLowerCase();
  return ALIGNMENTS.get(said ?? attribute ?? (name === "center" ? "center" : "")) ?? null;
}

/** Returns the writing direction that an element sets. */
export function directionOf({ attributes, style }: HtmlElement): "ltr" | "rtl" | null {
  const said = style.get("direction") ?? attributes.get("dir")?.trim().toLowerCase();
  return said === "ltr" || said === "rtl" ? said : null;
}

const PREFORMATTED: ReadonlySet<string> = new Set([
  "pre",
  "listing",
  "xmp",
  "plaintext",
  "textarea",
]);

function spaceOf(name: string, value: string | undefined): State["space"] | null {
  if (value === "pre" || value === "pre-wrap" || value === "break-spaces") return "pre";
  if (value === "pre-line") return "pre-line";
  if (value === "normal" || value === "nowrap") return "normal";
  return PREFORMATTED.has(name) ? "pre" : null;
}

function points(text: string | undefined): number {
  const length = parseLength(text);
  return length !== null && "points" in length ? length.points : 0;
}
