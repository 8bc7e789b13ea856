import type { Diagnostic } from "@quire/contracts";
import { branchMeant, endMeant, openerMeant } from "../../language/keywords.ts";
import type { TagNode } from "../nodes/nodes.ts";
import {
  afterElse,
  crossed,
  crossesBox,
  misspeltBranch,
  misspeltEnd,
  nearestSection,
  openedAgain,
  openingHint,
  outOfText,
  strayBranch,
  tooDeep,
  unclosed,
  wrongEnd,
} from "./block-problems.ts";
import { type Block, isInText, MAX_DEPTH } from "./blocks.ts";
import { backslashHint, type EscapedBlockTag } from "./escaped-blocks.ts";
import {
  depthOf,
  endedBy,
  kindEndedBy,
  lastOf,
  type OpenBlock,
  Stories,
  type Story,
} from "./open-blocks.ts";
import { checkOrphans, keyOf, type Orphan, openIn } from "./orphans.ts";

/** How to read tags with an uncertain meaning. */
export interface Reading {
  /** Whether to count tags that may be unrelated to blocks. */
  readonly loose: boolean;
  /** Whether words such as 'next' may end a block that has no other end. */
  readonly ordinary: boolean;
  /**
   * The tags that an earlier reading could not pair; null for the first reading. With these tags, blocks without an end
   * are paired with ends of another kind.
   */
  readonly before: Pick<Pairing, "missing" | "excess"> | null;
}

/** One reading of the tags of a part: pass every tag to `tag`, in document order, and then call `finish`. */
export class Pairing {
  readonly reading: Reading;
  readonly blocks: Block[] = [];
  readonly guessed: Block[] = [];
  readonly problems: Diagnostic[] = [];
  /** The opening tags of blocks without an end. */
  readonly missing = new Set<TagNode>();
  /** For each kind, the number of ends that close nothing. */
  readonly excess = new Map<string, number>();
  readonly #unmended: Set<TagNode>;
  readonly #spare: Map<string, number>;
  readonly #stories = new Stories();
  readonly #orphans: Orphan[] = [];
  readonly #escaped: readonly EscapedBlockTag[];
  #order = 0;

  constructor(reading: Reading, escaped: readonly EscapedBlockTag[]) {
    this.reading = reading;
    this.#escaped = escaped;
    this.#unmended = new Set(reading.before?.missing);
    this.#spare = new Map(reading.before?.excess);
  }

  tag(tag: TagNode): void {
    const { kind, guess } = tag.directive;
    const story = this.#stories.of(tag);
    this.#order += 1;
    if (guess?.loose === true && !this.reading.loose) return;
    if (kind !== "value" && kind !== "note" && !isInText(tag)) {
      this.problems.push(outOfText(tag));
    }
    switch (kind) {
      case "for":
      case "tablerow":
      case "tablecolumn":
      case "section":
      case "if":
        this.#open(kind, tag, story);
        break;
      case "elseif":
      case "else":
        this.#branch(tag, story);
        break;
      case "endfor":
      case "endtablerow":
      case "endtablecolumn":
      case "endif":
      case "endsection":
        this.#close(tag, story);
        break;
      case "value":
        this.#value(tag, story);
    }
  }

  /** Reports tags without a counterpart. */
  finish(): void {
    const stories = [...this.#stories.all()];
    const left = stories.flatMap(({ open }) => open);
    for (const problem of checkOrphans(this.#orphans, left, this.excess))
      this.problems.push(problem);
    for (const block of left)
      if (!block.reported) {
        this.#unclosed(block, unclosed(block.open, backslashHint(block.open, this.#escaped)));
      }
    for (const { open, boxed } of [...left, ...stories.flatMap(({ crossed }) => crossed)]) {
      if (!boxed) this.missing.add(open);
    }
  }

  #open(kind: Block["kind"], open: TagNode, story: Story): void {
    if (this.#isOpenedAgain(open, story)) {
      this.problems.push(openedAgain(open));
      this.#end(open, story, story.open.length - 1, false);
      return;
    }
    const state = { closed: false, boxed: false, reported: false };
    story.open.push({ kind, open, branches: [], order: this.#order, story, ...state });
    if (depthOf(story) === MAX_DEPTH + 1) this.problems.push(tooDeep(open));
  }

  /**
   * Whether a tag equals the opening tag of the block around it, and nothing closes either of them, so that the author
   * probably forgot the slash.
   */
  #isOpenedAgain(tag: TagNode, { open }: Story): boolean {
    const around = open.at(-1);
    if (around?.open.text !== tag.text || !this.#unmended.has(tag)) return false;
    return this.#mend(around) && this.#unmended.delete(tag);
  }

  #branch(tag: TagNode, story: Story): void {
    const block = story.open.at(-1);
    const isGuessed =
      tag.directive.guess !== undefined || block?.open.directive.guess !== undefined;
    if (block?.kind === "if") {
      const late = block.branches.at(-1)?.directive.kind === "else";
      if (late && !isGuessed) this.problems.push(afterElse(tag));
      block.branches.push(tag);
      return;
    }
    if (isGuessed) return;
    const around = block === undefined ? openIn(story.outer, ({ kind }) => kind === "if") : null;
    if (around !== null) {
      this.#orphans.push({ tag, order: this.#order, story, around, hint: "" });
      return;
    }
    const isInIf = lastOf(story.open, ({ kind }) => kind === "if") !== -1;
    if (!isInIf && !this.#isNextStray(tag, story)) return;
    const hint = isInIf ? null : backslashHint(tag, this.#escaped);
    this.problems.push(strayBranch(tag, block?.open ?? null, isInIf, hint));
    // This report also covers the block that is not closed before the branch.
    if (block !== undefined && isInIf) block.reported = true;
  }

  /** Whether a branch without an `if` continues the previous branch, which was already reported. */
  #isNextStray(branch: TagNode, story: Story): boolean {
    const depth = story.open.length;
    const { stray } = story;
    story.stray = { branch, depth };
    return stray?.depth !== depth || stray.branch.directive.kind !== "elseif";
  }

  #close(tag: TagNode, story: Story): void {
    const at = endedBy(tag, story.open);
    const innermost = story.open.at(-1);
    if (at === -1) {
      this.#unmatched(tag, story);
    } else if (innermost !== undefined && at < story.open.length - 1 && this.#isSpare(tag)) {
      // A surplus end of this kind is used as the end of an inner block.
      if (this.#mend(innermost)) this.#endWrong(tag, story, story.open.length - 1);
      else this.#end(tag, story, at, true);
    } else {
      this.#end(tag, story, at, true);
    }
  }

  /** Whether the part has more ends of this kind than blocks. Call this where a block would be crossed. */
  #isSpare(tag: TagNode): boolean {
    return (this.#spare.get(keyOf(tag)) ?? 0) > 0;
  }

  /**
   * Whether an end of another kind should close a block, according to the earlier reading. Returns true only once for
   * each block.
   */
  #mend(block: OpenBlock): boolean {
    return this.#unmended.delete(block.open);
  }

  #unmatched(tag: TagNode, story: Story): void {
    const late = endedBy(tag, story.crossed);
    if (late !== -1) {
      story.crossed.splice(late, 1);
      return;
    }
    if (tag.directive.kind === "endif" && story.stray?.depth === story.open.length) {
      story.stray = null;
      return;
    }
    const meant = this.#wronglyClosed(tag, story);
    if (meant !== -1) {
      this.#endWrong(tag, story, meant);
      return;
    }
    const around = openIn(story.outer, (block) => endedBy(tag, [block]) === 0);
    if (around !== null) around.boxed = true;
    const hint = backslashHint(tag, this.#escaped) ?? openingHint(tag, openTags(story.open));
    this.#orphans.push({ tag, order: this.#order, story, around, hint });
  }

  /**
   * Returns the index of the open block that a wrong end was meant to close, if nothing else closes this block;
   * otherwise -1.
   */
  #wronglyClosed({ directive }: TagNode, { open }: Story): number {
    if (this.#unmended.size === 0 || open.length === 0) return -1;
    let at = -1;
    if (directive.kind === "endsection" && directive.name !== null) {
      const opener = openerMeant(directive.name);
      const kind = opener?.loose === false ? opener.kind : null;
      const near = nearestSection(directive.name, openTags(open));
      at = lastOf(open, (block) => block.kind === kind || block.open.directive === near);
    }
    if (at === -1) at = open.length - 1;
    const block = open[at];
    return block !== undefined && this.#mend(block) ? at : -1;
  }

  #endWrong(tag: TagNode, story: Story, at: number): void {
    const open = story.open[at]?.open;
    if (open === undefined) return;
    const key = keyOf(tag);
    this.#spare.set(key, (this.#spare.get(key) ?? 0) - 1);
    if (open.directive.guess === undefined && tag.directive.guess === undefined) {
      this.problems.push(wrongEnd(tag, open));
    }
    this.#end(tag, story, at, false);
  }

  /** Removes the block that a tag closes from the stack. Blocks that are still open inside it cross it. */
  #end(tag: TagNode, story: Story, at: number, sure: boolean): void {
    const [block, ...inner] = story.open.splice(at);
    for (const each of inner) {
      story.crossed.push(each);
      if (!each.reported) this.#unclosed(each, crossed(tag, each.open));
    }
    if (block === undefined) return;
    block.closed = true;
    const { kind, open, branches } = block;
    const known = open.directive.guess === undefined && tag.directive.guess === undefined;
    (sure && known ? this.blocks : this.guessed).push({ kind, open, branches, close: tag });
  }

  #unclosed(block: OpenBlock, otherwise: Diagnostic): void {
    const { open, boxed } = block;
    block.reported = true;
    if (open.directive.guess !== undefined) return;
    this.problems.push(boxed ? crossesBox(open, "outside") : otherwise);
  }

  /** Handles a tag with a single word, which may be a misspelled branch or end of the surrounding block. */
  #value(tag: TagNode, story: Story): void {
    const block = story.open.at(-1);
    const word = loneWord(tag);
    if (block === undefined || word === null || !isInText(tag)) return;
    const branch = block.kind === "if" ? branchMeant(word) : null;
    if (branch !== null) {
      this.problems.push(misspeltBranch(tag, block.open, branch));
      return;
    }
    const meant = this.#unmended.size === 0 ? null : endMeant(word);
    if (meant === null || (meant.ordinary && !this.reading.ordinary)) return;
    if (meant.keyword !== null && !mayEnd(meant.keyword, block.kind)) return;
    // For nested blocks of one kind, the ends that follow were meant for the outer ones.
    const other = lastOf(story.open, ({ kind }) => kind !== block.kind);
    const missing = lastOf(story.open, ({ open }) => this.#unmended.has(open));
    const unclosed = missing > other ? story.open[missing] : undefined;
    if (unclosed === undefined || !this.#mend(unclosed)) return;
    this.problems.push(misspeltEnd(tag, block.open));
    this.#end(tag, story, story.open.length - 1, false);
  }
}

function openTags(open: readonly OpenBlock[]): TagNode[] {
  return open.slice(-MAX_DEPTH).map((block) => block.open);
}

/** Returns the single word of a value; null for all other tags. */
function loneWord({ directive }: TagNode): string | null {
  if (directive.kind !== "value" || directive.modifiers.length > 0) return null;
  const { expression } = directive;
  return expression.kind === "path" && expression.rest.length === 0 ? expression.head : null;
}

/** Whether a word that means this keyword may end a block of this kind. */
function mayEnd(keyword: string, kind: Block["kind"]): boolean {
  return kindEndedBy(keyword) === kind || (keyword === "endfor" && kind !== "if");
}
