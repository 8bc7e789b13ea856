import { BlockBuilder, START, type State } from "../builder.ts";
import { parseLength } from "../css.ts";
import {
  childElements,
  type HtmlElement,
  type HtmlNode,
  type ParentNode,
  readNode,
} from "../element.ts";
import { safeLink } from "../link.ts";
import { boxIn, counterFor, countItem, isCheckBox } from "../lists.ts";
import { LIST_LEVELS, type RichBlock } from "../model.ts";
import { fullMergeAllowance, type MergeAllowance } from "../table.ts";
import { nameForMessage, type RichWarnings } from "../warnings.ts";
import { BLOCKS, DROPPED, isPlainElement, SHOWN } from "./elements.ts";
import { type CellReader, readTable } from "./read-table.ts";
import { stateInBlock, stateInInline } from "./state.ts";
import { WordLists } from "./word-lists.ts";

/** Maximum nesting of elements. Deeper elements become plain text. */
const MAX_DEPTH = 100;

/** Maximum nesting of tables. */
const MAX_TABLES = 8;

const TABLES_LIMIT = `tables inside ${MAX_TABLES} others were printed as plain text`;

/** Marker comments that Word and clipboards add. They carry no content. */
const MARK_OF_EDITORS = /^(?:\[if [^\]]{0,100}\]|\[endif\]|StartFragment|EndFragment)$/;

/** Maximum length of a picture's alternative text. Word shows less. */
const MAX_ALT = 2000;

const EMU_PER_POINT = 12_700;

/** State that all parts of one document share. */
interface Shared {
  readonly warnings: RichWarnings;
  readonly merges: MergeAllowance;
  readonly wordLists: WordLists;
  /** Whether the source has already contained a block element. */
  blocks: boolean;
}

/** Returns the blocks of an HTML tree, and whether it has only running text. */
export function blocksOf(
  root: ParentNode,
  warnings: RichWarnings,
): { readonly blocks: readonly RichBlock[]; readonly inline: boolean } {
  const merges = fullMergeAllowance();
  const shared: Shared = { warnings, merges, wordLists: new WordLists(), blocks: false };
  const walker = new Walker(shared, 0);
  walker.children(root, START, 0);
  return { blocks: walker.end(), inline: !shared.blocks };
}

/** Walks one text flow: the document, or a table cell. */
class Walker {
  readonly #shared: Shared;
  readonly #builder: BlockBuilder;
  /** The number of tables around the text flow. */
  readonly #tables: number;

  constructor(shared: Shared, tables: number) {
    this.#shared = shared;
    this.#builder = new BlockBuilder(shared.warnings);
    this.#tables = tables;
  }

  /** Ends the text flow and returns its blocks. */
  end(): readonly RichBlock[] {
    if (this.#shared.blocks) this.#builder.endParagraph();
    else this.#builder.endInline();
    return this.#builder.blocks;
  }

  children(parent: ParentNode, state: State, depth: number): void {
    for (const child of parent.childNodes) {
      const node = readNode(child);
      if (node.kind !== "element") this.#leaf(node, state);
      else if (depth < MAX_DEPTH) this.#element(node, state, depth);
      else this.#flatten(node, state);
    }
  }

  #leaf(node: Exclude<HtmlNode, HtmlElement>, state: State): void {
    if (node.kind === "text") this.#builder.text(node.text, state);
    if (node.kind === "comment" && !MARK_OF_EDITORS.test(node.text)) {
      this.#shared.warnings.add("dropped_markup", "comments");
    }
  }

  #element(element: HtmlElement, state: State, depth: number): void {
    if (this.#dropped(element) || this.#empty(element, state)) return;
    const { name, node } = element;
    if (name === "table" && this.#tables < MAX_TABLES) {
      this.#table(element, state, depth);
    } else if (BLOCKS.has(name)) {
      if (name === "table") this.#shared.warnings.add("markup_limit", TABLES_LIMIT);
      this.#block(element, state, depth);
    } else if (name === "q") {
      const inner = stateInInline(state, element);
      this.#builder.text("\u201c", inner);
      this.children(node, inner, depth + 1);
      this.#builder.text("\u201d", inner);
    } else {
      this.children(node, this.#inline(element, state), depth + 1);
    }
  }

  /**
   * Whether the element must be dropped. Reports this, except for controls of an editor. Also reports elements that are
   * kept but are not supported.
   */
  #dropped(element: HtmlElement): boolean {
    const { name, attributes, style, quill } = element;
    const { warnings } = this.#shared;
    if (quill.isControl) return true;
    if (DROPPED.has(name)) {
      warnings.add("dropped_markup", nameForMessage(name));
      return true;
    }
    if (attributes.has("hidden") || style.get("display") === "none") {
      warnings.add("dropped_markup", "hidden elements");
      return true;
    }
    if (!SHOWN.has(name) && !isPlainElement(name) && !isCheckBox(element)) {
      warnings.add("unsupported_markup", nameForMessage(name));
    }
    for (const family of quill.unknown) warnings.add("unsupported_markup", family);
    return false;
  }

  /** Handles elements without content. Returns whether the element was one of these. */
  #empty(element: HtmlElement, state: State): boolean {
    const { name, attributes, style, quill } = element;
    if (state.item?.drawn === element.node) return true;
    if (quill.formula !== null) {
      this.#shared.warnings.add("unsupported_markup", "ql-formula");
      this.#builder.text(quill.formula, stateInInline(state, element));
    } else if (name === "br") {
      this.#builder.lineBreak(state);
    } else if (name === "img" || name === "image") {
      this.#image(element, state);
    } else if (name === "hr") {
      this.#beginBlock(state);
      const { quote, indent, listDepth } = state;
      this.#builder.add({ kind: "rule", quote, indent, listDepth });
    } else if (style.has("mso-tab-count")) {
      const tabs = Number(/^[1-9]\d?$/.exec(style.get("mso-tab-count") ?? "")?.[0] ?? 1);
      this.#builder.text("\t".repeat(tabs), { ...stateInInline(state, element), space: "pre" });
    } else if (isCheckBox(element)) {
      this.#builder.text(attributes.has("checked") ? "\u2612" : "\u2610", state);
    } else {
      return false;
    }
    return true;
  }

  #image(element: HtmlElement, state: State): void {
    const { attributes, style } = element;
    const alt = (attributes.get("alt") ?? "").slice(0, MAX_ALT);
    const dataUri = (attributes.get("src") ?? "").trim();
    const inner = stateInInline(state, element);
    if (!/^data:/i.test(dataUri.slice(0, 5))) {
      this.#shared.warnings.add("external_image");
      if (alt !== "") this.#builder.text(alt, inner);
      return;
    }
    const width = emu(style.get("width") ?? attributes.get("width"));
    const height = emu(style.get("height") ?? attributes.get("height"));
    this.#builder.image({ dataUri, width, height, alt }, inner);
  }

  /** Adds a separate paragraph for the marker if a block begins in an item that does not have a marker yet. */
  #beginBlock(state: State): void {
    this.#shared.blocks = true;
    this.#builder.markItem(state);
  }

  #block(element: HtmlElement, state: State, depth: number): void {
    const { name, node } = element;
    this.#shared.blocks = true;
    if (name === "ul" || name === "ol" || name === "menu" || name === "dir") {
      this.#list(element, state, depth);
      return;
    }
    this.#builder.endParagraph();
    const ofWord = this.#wordItem(element, state);
    const inner = { ...stateInBlock(state, element), ...ofWord };
    if (name === "li") this.#item(element, inner, depth);
    else this.children(node, inner, depth + 1);
    if (ofWord === null) this.#builder.endParagraph();
    else this.#builder.markItem(inner);
  }

  /**
   * Returns the state of a paragraph that Word wrote as a list item, with the indent of its list, or null for other
   * paragraphs.
   */
  #wordItem(
    element: HtmlElement,
    { listDepth: around, indent }: State,
  ): Pick<State, "item" | "listDepth" | "indent"> | null {
    const { wordLists, warnings } = this.#shared;
    const found = wordLists.item(element, around);
    if (found === null) return null;
    const { item, listDepth, missing } = found;
    if (missing !== null) warnings.add("unsupported_markup", `symbols of ${missing}`);
    return { item, listDepth, indent };
  }

  #list(element: HtmlElement, state: State, depth: number): void {
    const { name, attributes, style, node } = element;
    this.#beginBlock(state);
    const inner = stateInBlock(state, element);
    const listDepth = this.#listDepth(state.listDepth + 1);
    const items = attributes.has("reversed")
      ? childElements(node).filter((child) => child.name === "li").length
      : 0;
    const counter = counterFor(name, attributes, style, listDepth - 1, items);
    this.children(node, { ...inner, listDepth, counter, item: null }, depth + 1);
    this.#builder.endParagraph();
  }

  /** Returns the level of a list, from 1, within Word's limits. */
  #listDepth(wanted: number): number {
    if (wanted > LIST_LEVELS) {
      this.#shared.warnings.add(
        "markup_limit",
        "lists deeper than nine levels are shown at the ninth level",
      );
    }
    return Math.min(LIST_LEVELS, wanted);
  }

  #item(element: HtmlElement, state: State, depth: number): void {
    // In browsers, an item without a list has a bullet.
    const counter = state.counter ?? counterFor("ul", new Map(), new Map(), 0, 0);
    const box = boxIn(counter, element);
    const counted = countItem(counter, element, box);
    const drawn = box?.node ?? null;
    const item = counted === null ? null : { ...counted, drawn, used: false };
    const listDepth = this.#listDepth(Math.max(1, state.listDepth) + element.quill.indent);
    const inner: State = { ...state, counter: null, listDepth, item };
    this.children(element.node, inner, depth + 1);
    this.#builder.markItem(inner);
  }

  #inline(element: HtmlElement, state: State): State {
    const inner = stateInInline(state, element);
    const url = element.name === "a" ? element.attributes.get("href") : undefined;
    if (url === undefined) return inner;
    const href = safeLink(url);
    if (href === null) this.#shared.warnings.add("unsafe_link");
    return { ...inner, href };
  }

  #table(element: HtmlElement, state: State, depth: number): void {
    this.#beginBlock(state);
    const { warnings, merges } = this.#shared;
    const read: CellReader = (cell, cellState, levels) => {
      const walker = new Walker(this.#shared, this.#tables + 1);
      walker.children(cell.node, cellState, depth + levels);
      return walker.end();
    };
    const { captions, table, left } = readTable(element, state, read, { warnings, merges });
    for (const caption of captions) this.#block(caption, { ...state, item: null }, depth + 1);
    for (const block of [...(table === null ? [] : [table]), ...left]) this.#builder.add(block);
  }

  /** Handles content that is nested too deeply: keeps its text, with a line for each block. Not recursive. */
  #flatten(root: HtmlElement, state: State): void {
    this.#shared.warnings.add(
      "markup_limit",
      `elements below level ${MAX_DEPTH} were printed as plain text`,
    );
    const builder = this.#builder;
    const waiting: (HtmlNode | (() => void))[] = [{ kind: "element", ...root }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next === "function") {
        next();
      } else if (next.kind !== "element") {
        this.#leaf(next, state);
      } else if (!this.#dropped(next) && !this.#empty(next, state)) {
        if (BLOCKS.has(next.name)) {
          this.#shared.blocks = true;
          builder.endParagraph();
          waiting.push(() => builder.endParagraph());
        }
        for (const child of next.node.childNodes.toReversed()) waiting.push(readNode(child));
      }
    }
  }
}

function emu(text: string | undefined): number | null {
  const length = parseLength(text);
  if (length === null || "share" in length || !(length.points > 0)) return null;
  return Math.round(length.points * EMU_PER_POINT);
}
