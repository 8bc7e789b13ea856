import type { Directive } from "../../language/directive.ts";
import { closest, type ElementNode, type TagNode } from "../nodes/nodes.ts";
import { type Block, MAX_DEPTH } from "./blocks.ts";

/** An open block. Its end may be missing. */
export interface OpenBlock {
  readonly kind: Block["kind"];
  readonly open: TagNode;
  readonly branches: TagNode[];
  /** The number of the opening tag among the tags of the part, from 1. */
  readonly order: number;
  readonly story: Story;
  /** Whether the block has been closed. */
  closed: boolean;
  /** Whether a text box in the block contains a possible end. */
  boxed: boolean;
  /** Whether the block was reported as not closed. */
  reported: boolean;
}

/** The text of a text box, or all text outside text boxes. A block begins and ends in the same story. */
export interface Story {
  /** The story around a text box; null for text outside all boxes. */
  readonly outer: Story | null;
  readonly open: OpenBlock[];
  /** Blocks that were still open where the block around them ended, and whose end may follow. */
  readonly crossed: OpenBlock[];
  /**
   * The last branch outside an `if`, with the number of blocks around it. Its `endif` may follow. Null if there is
   * none.
   */
  stray: { readonly branch: TagNode; readonly depth: number } | null;
}

/** Finds the story of each tag of a part. */
export class Stories {
  readonly #ofBox = new Map<ElementNode | null, Story>();

  of(tag: TagNode): Story {
    return this.#in(closest(tag.owner ?? tag, "w:txbxContent"));
  }

  all(): Iterable<Story> {
    return this.#ofBox.values();
  }

  #in(box: ElementNode | null): Story {
    const known = this.#ofBox.get(box);
    if (known !== undefined) return known;
    const outer = box === null ? null : this.#in(closest(box.parent, "w:txbxContent"));
    const story: Story = { outer, open: [], crossed: [], stray: null };
    this.#ofBox.set(box, story);
    return story;
  }
}

/** Returns the number of open blocks in a story and in the stories around it. */
export function depthOf(story: Story): number {
  let depth = 0;
  for (let at: Story | null = story; at !== null; at = at.outer) depth += at.open.length;
  return depth;
}

const OPENED_BY: Readonly<Record<string, Block["kind"] | undefined>> = {
  endfor: "for",
  endtablerow: "tablerow",
  endtablecolumn: "tablecolumn",
  endif: "if",
};

/** Returns the kind of block that a keyword ends; undefined for other words. */
export function kindEndedBy(keyword: string): Block["kind"] | undefined {
  return OPENED_BY[keyword];
}

/** Returns the index of the open block that a tag ends, or -1. */
export function endedBy({ directive }: TagNode, open: readonly OpenBlock[]): number {
  if (directive.kind !== "endsection") {
    const kind = kindEndedBy(directive.kind);
    return lastOf(open, (block) => block.kind === kind);
  }
  const { name } = directive;
  if (name === null)
    return lastOf(
      open,
      ({ kind, open: { directive } }) => kind === "section" || directive.guess !== undefined,
    );
  const exact = lastOf(open, ({ open: { directive } }) => isNamed(directive, name));
  return exact === -1 ? lastOf(open, ({ open: { directive } }) => mayBe(directive, name)) : exact;
}

function isNamed(directive: Directive, name: string): boolean {
  if (directive.guess?.word.toLowerCase() === name.toLowerCase()) return true;
  return directive.kind === "section" && directive.name === name;
}

/**
 * Whether a section may be ended with a name other than its own: the first path of its condition, as in `{{#n >
 * 1}} … {{/n}}`, or any name if its tag cannot be read.
 */
function mayBe(directive: Directive, name: string): boolean {
  if (directive.kind !== "section") return false;
  const { names } = directive;
  if (names !== undefined) return names.length === 0 || names.includes(name);
  return /^[^<>=!+*/%()&|,-]+/.exec(directive.name)?.[0] === name;
}

/**
 * Returns the index of the innermost block that fulfills a condition, or -1. Searches up to the maximum
 * nesting depth.
 */
export function lastOf(open: readonly OpenBlock[], is: (block: OpenBlock) => boolean): number {
  const from = Math.max(open.length - MAX_DEPTH - 1, 0);
  for (let at = open.length - 1; at >= from; at--) {
    const block = open[at];
    if (block !== undefined && is(block)) return at;
  }
  return -1;
}
