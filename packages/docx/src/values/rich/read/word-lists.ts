import type { ItemMark } from "../builder.ts";
import { parseFontFamily } from "../css.ts";
import { type HtmlElement, type HtmlNode, readNode } from "../element.ts";
import { bulletOf, numberText } from "../list-markers.ts";
import { LIST_LEVELS, type ListKind, type RichList } from "../model.ts";
import { isSignFont, readSigns } from "../signs.ts";

/** The list and level of a paragraph that Word wrote as an item. Word writes no `<ul>` and no `<ol>`. */
interface WordPlace {
  /** Equal for all items of one list and level. */
  readonly key: string;
  /** The level, from 1. */
  readonly level: number;
}

/** Elements that Word uses for items. */
const PARAGRAPHS = /^(?:p|div|h[1-6])$/;

/** Reads `mso-list:l0 level1 lfo1`. A paragraph with only Word's class for list items is at the first level. */
function placeOf({ name, attributes, style }: HtmlElement): WordPlace | null {
  if (!PARAGRAPHS.test(name)) return null;
  const said = style.get("mso-list") ?? "";
  const level = Number(/\blevel([1-9])\b/.exec(said)?.[1]);
  if (!Number.isNaN(level)) return { key: said.slice(0, 60), level };
  return /\bMsoList/.test(attributes.get("class")?.slice(0, 200) ?? "")
    ? { key: "", level: 1 }
    : null;
}

/** A marker that Word wrote as text, for programs that do not support Word's lists. */
interface WrittenMarker {
  /** The element that contains the marker. */
  readonly element: HtmlElement;
  readonly text: string;
  /** The symbol font of the marker if the marker has no Unicode character here; otherwise null. */
  readonly font: string | null;
}

/** Limits for the search at the beginning of a paragraph: nodes, and characters of a marker. */
const MAX_NODES = 20;
const MAX_TEXT = 60;

/** Finds the marker at the beginning of a paragraph. Returns null if the paragraph begins with its text. */
function markerOf(paragraph: HtmlElement): WrittenMarker | null {
  for (const { node, font } of firstNodes(paragraph, null)) {
    if (node.kind === "text" && node.text.trim() !== "") return null;
    if (node.kind === "element" && node.style.get("mso-list") === "ignore") return read(node, font);
  }
  return null;
}

function read(element: HtmlElement, around: string | null): WrittenMarker {
  let text = "";
  let missing: string | null = null;
  for (const { node, font } of firstNodes(element, around)) {
    // The picture of a bullet is a file on the author's computer.
    if (node.kind === "element" && node.name === "img") text += "•";
    if (node.kind !== "text" || text.length > MAX_TEXT) continue;
    const piece = node.text.slice(0, MAX_TEXT);
    const signs = font !== null && isSignFont(font) ? readSigns(piece, {}, font) : null;
    if (piece.trim() !== "") missing ??= signs?.font ?? null;
    text += signs?.text ?? piece;
  }
  return { element, text: text.replace(/\s+/g, " ").trim(), font: missing };
}

interface FontedNode {
  readonly node: HtmlNode;
  /** The font that is set for the node. */
  readonly font: string | null;
}

/** Yields the first nodes below an element, in source order. */
function* firstNodes(root: HtmlElement, around: string | null): Generator<FontedNode> {
  const below = ({ node, style }: HtmlElement, outer: string | null): FontedNode[] => {
    const font = parseFontFamily(style.get("font-family")) ?? outer;
    return node.childNodes.slice(0, MAX_NODES).map((child) => ({ node: readNode(child), font }));
  };
  const waiting = below(root, around).reverse();
  for (let count = 0; count < MAX_NODES; count += 1) {
    const next = waiting.pop();
    if (next === undefined) return;
    yield next;
    if (next.node.kind === "element") waiting.push(...below(next.node, next.font).reverse());
  }
}

/** Word's default bullets. They become the default bullets of the level. */
const USUAL_BULLETS = ["•", "·", "o", "▪"];

/** A number with the text around it. Word would read a `%` in that text as a placeholder for a number. */
const NUMBERED = /^((?:[^%]*[^A-Za-z0-9%])?)(\d{1,9}|[a-z]{1,8}|[A-Z]{1,8})([.)\]:]{0,2})$/;

/** A list, and the number of an item in it. */
interface Counted {
  readonly list: RichList;
  readonly number: number;
}

/** Word's lists in one value, as read from the markers that Word wrote. */
export class WordLists {
  /** The last item of each list and level. */
  readonly #last = new Map<string, Counted>();

  /**
   * Returns the item of a paragraph. Returns null for other paragraphs, and if Word's numbering cannot produce the
   * marker, which is then printed as text. `depth` is the level of the surrounding list. `missing` is the `font` of the
   * marker.
   */
  item(
    paragraph: HtmlElement,
    depth: number,
  ): {
    readonly item: ItemMark;
    readonly listDepth: number;
    readonly missing: string | null;
  } | null {
    const place = placeOf(paragraph);
    const marker = place === null ? null : markerOf(paragraph);
    if (place === null || marker === null) return null;
    const listDepth = Math.min(LIST_LEVELS, depth + place.level);
    const counted = this.#count(place.key, marker, listDepth - 1);
    if (counted === null) return null;
    const item = { ...counted, drawn: marker.element.node, used: false };
    return { item, listDepth, missing: marker.font };
  }

  #count(key: string, { text, font }: WrittenMarker, level: number): Counted | null {
    if (font !== null || isBullet(text)) {
      const sign = font !== null || USUAL_BULLETS.includes(text) ? null : text;
      const usual = sign === bulletOf(level) ? null : sign;
      return { list: { kind: "bullet", text: usual, start: 1, level }, number: 1 };
    }
    const [, before = "", written = "", after = ""] = NUMBERED.exec(text) ?? [];
    if (written === "" || (/^\D/.test(written) && before + after === "")) return null;
    const last = this.#last.get(key);
    const found = numberOf(written, last);
    if (found === null) return null;
    const { kind, number } = found;
    const pattern = before === "" && after === "." ? null : `${before}%${after}`;
    const goesOn =
      last?.number === number - 1 && last.list.kind === kind && last.list.text === pattern;
    const list = goesOn ? last.list : { kind, text: pattern, start: number, level };
    const counted = { list, number };
    this.#last.set(key, counted);
    return counted;
  }
}

/** Whether a marker is a symbol, or the letter that Word writes for a hollow bullet. */
function isBullet(text: string): boolean {
  return text === "o" || /^[\p{P}\p{S}]$/u.test(text);
}

/** Returns the value and kind of a written number, or null if Word would write that number differently. */
function numberOf(
  written: string,
  last: Counted | undefined,
): { readonly kind: ListKind; readonly number: number } | null {
  const isUpper = written !== written.toLowerCase();
  const lower = written.toLowerCase();
  const readings: readonly { kind: ListKind; number: number }[] = [
    { kind: "decimal", number: Number(written) },
    { kind: isUpper ? "upper-roman" : "lower-roman", number: fromRoman(lower) },
    { kind: isUpper ? "upper-letter" : "lower-letter", number: lower.charCodeAt(0) - 96 },
  ];
  const possible = readings
    .filter(({ kind }) => /^\d/.test(written) === (kind === "decimal"))
    .filter(({ kind, number }) => numberText(kind, number) === written);
  const next = possible.find(
    ({ kind, number }) => kind === last?.list.kind && number === last.number + 1,
  );
  // At the beginning of a list, `i` is the Roman numeral 1. After `h`, it is the next letter.
  return next ?? possible.find(({ number }) => number === 1) ?? possible.at(-1) ?? null;
}

const ROMAN: Readonly<Record<string, number>> = {
  i: 1,
  v: 5,
  x: 10,
  l: 50,
  c: 100,
  d: 500,
  m: 1000,
};

/** Returns the value of a Roman numeral. Other letters give a number that would be written differently. */
function fromRoman(letters: string): number {
  const values = [...letters].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  );
}
