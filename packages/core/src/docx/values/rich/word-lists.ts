import type { ItemMark } from "./builder.ts";
import { parseFontFamily } from "./css.ts";
import { type HtmlElement, type HtmlNode, readNode } from "./element.ts";
import { LIST_LEVELS, type ListKind, type RichList } from "./model.ts";
import { bulletOf, numberText } from "./numbering.ts";
import { isSignFont, readSigns } from "./signs.ts";

/** Where a paragraph stands that Word wrote as an item of a list: it writes no `<ul>` and no `<ol>`. */
interface WordPlace {
  /** Which list of the document it is, and which level of it. */
  readonly key: string;
  /** From 1. */
  readonly level: number;
}

/** Elements that Word makes items of. */
const PARAGRAPHS = /^(?:p|div|h[1-6])$/;

/** Reads `mso-list:l0 level1 lfo1`. What has only the class of such paragraphs is at the first level. */
function placeOf({ name, attributes, style }: HtmlElement): WordPlace | null {
  if (!PARAGRAPHS.test(name)) return null;
  const said = style.get("mso-list") ?? "";
  const level = Number(/\blevel([1-9])\b/.exec(said)?.[1]);
  if (!Number.isNaN(level)) return { key: said.slice(0, 60), level };
  return /\bMsoList/.test(attributes.get("class")?.slice(0, 200) ?? "")
    ? { key: "", level: 1 }
    : null;
}

/** What Word wrote of a marker, as text for programs that know nothing of its lists. */
interface WrittenMarker {
  /** The element that holds it. */
  readonly element: HtmlElement;
  readonly text: string;
  /** The font of signs that has no character for it; else null. */
  readonly font: string | null;
}

/** How many nodes at the beginning of a paragraph are looked at, and of how much text. */
const MAX_NODES = 20;
const MAX_TEXT = 60;

/** Finds the marker at the beginning of a paragraph; null when it begins with its text. */
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
    // A picture for a bullet, which is a file of the computer that it comes from.
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
  /** The font that is said for it. */
  readonly font: string | null;
}

/** The first nodes below an element, in the order of the source. */
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

/** Bullets that Word gives to the levels of a usual list, so that they are those of the level here. */
const USUAL_BULLETS = ["•", "·", "o", "▪"];

/** A number with what Word wrote around it. A `%` there would mean a number to Word. */
const NUMBERED = /^((?:[^%]*[^A-Za-z0-9%])?)(\d{1,9}|[a-z]{1,8}|[A-Z]{1,8})([.)\]:]{0,2})$/;

/** What a list is counted by, and how far it has come. */
interface Counted {
  readonly list: RichList;
  readonly number: number;
}

/** The lists of one value that Word wrote, found by what it wrote of their markers. */
export class WordLists {
  /** The last item of each list and level. */
  readonly #last = new Map<string, Counted>();

  /**
   * The item that a paragraph is; null when it is none, or when its marker cannot be made by Word's counting,
   * so that it has to stay as text. `depth` is the level of the list around. `missing`: see `WrittenMarker`.
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

/** Whether a marker is a sign, or the letter that Word has for a ring. */
function isBullet(text: string): boolean {
  return text === "o" || /^[\p{P}\p{S}]$/u.test(text);
}

/** What a number says, and in which kind of numbers; null when Word would write it in another way. */
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
  // A list that begins with i counts i, ii, iii; one that begins with c has begun elsewhere with a.
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

/** A number that is none in these letters becomes one that is written in another way. */
function fromRoman(letters: string): number {
  const values = [...letters].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce(
    (sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value),
    0,
  );
}
