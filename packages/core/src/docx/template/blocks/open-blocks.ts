import type { Directive } from "../language/directive.ts";
import { closest, type ElementNode, type TagNode } from "../nodes.ts";
import { type Block, MAX_DEPTH } from "./blocks.ts";

/** A block whose end has not come, or will not come. */
export interface OpenBlock {
  readonly kind: Block["kind"];
  readonly open: TagNode;
  readonly branches: TagNode[];
  /** Its place among the tags of the part. */
  readonly order: number;
  readonly story: Story;
  /** Whether it has been closed. */
  closed: boolean;
  /** Whether a text box in it holds what may be its end. */
  boxed: boolean;
  /** Whether it has been told that it is not closed. */
  told: boolean;
}

/** The text of a text box, or all outside of text boxes: a block begins and ends in the same one. */
export interface Story {
  /** The story around a text box; null for what stands outside of every one. */
  readonly outer: Story | null;
  readonly open: OpenBlock[];
  /** Blocks that were left open where the one around them ended, and whose end may still come. */
  readonly crossed: OpenBlock[];
  /** A branch that was told to stand outside of an `if`, and in how many blocks: an end may follow. */
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

/** How many blocks are open around a place. */
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

/** The kind of block that a keyword ends; undefined for other words. */
export function kindEndedBy(keyword: string): Block["kind"] | undefined {
  return OPENED_BY[keyword];
}

/** Of the blocks that are open, where the one stands that a tag ends; -1 when there is none. */
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
 * Whether a section may be ended with a name that is not quite its own: the first path of its condition,
 * as in `{{#n > 1}} … {{/n}}`, or any name in a tag that cannot be read.
 */
function mayBe(directive: Directive, name: string): boolean {
  if (directive.kind !== "section") return false;
  const { names } = directive;
  if (names !== undefined) return names.length === 0 || names.includes(name);
  return /^[^<>=!+*/%()&|,-]+/.exec(directive.name)?.[0] === name;
}

/** The last block of a kind among the innermost ones: more than may be open are not looked through. */
export function lastOf(open: readonly OpenBlock[], is: (block: OpenBlock) => boolean): number {
  const from = Math.max(open.length - MAX_DEPTH - 1, 0);
  for (let at = open.length - 1; at >= from; at--) {
    const block = open[at];
    if (block !== undefined && is(block)) return at;
  }
  return -1;
}
