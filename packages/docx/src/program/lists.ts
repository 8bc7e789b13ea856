import type { ElementNode, MarkerNode, TagNode, TemplateNode } from "../template/nodes/nodes.ts";
import {
  type ListFacts,
  numberingOf,
  type ParagraphNumbering,
  type StyledParagraph,
  styledParagraph,
} from "./paragraph-lists.ts";

/** What a block does with the lists that begin in it, by list number. */
export interface BlockLists {
  /** Lists that restart in each iteration. */
  readonly restarted: readonly number[];
  /**
   * Lists that restart if a section within the block repeats their items. The data decides whether the section repeats
   * or only shows them.
   */
  readonly deferred: readonly number[];
  /** For a section: the deferred lists that have items in the section. If it repeats its items, these lists restart. */
  readonly held: readonly number[];
  /**
   * Whether lists restart in each iteration ("list"), or are deferred ("either"), if they begin in the block only because
   * tags choose the styles of paragraphs. Null for a block in which each of these paragraphs is one item.
   */
  readonly chosen: "list" | "either" | null;
  /** Lists to which `chosen` does not apply, because the template has their first item in the block. */
  readonly decided: readonly number[];
  /** For a section: whether it contains paragraphs whose styles tags choose. */
  readonly holdsChosen: boolean;
}

/** The lists that restart in the iterations of blocks. */
export interface ListRestarts {
  /** The effect of each block on lists, by the opening tag of the block. */
  readonly ofBlock: ReadonlyMap<TagNode, BlockLists>;
  /** The paragraphs whose numbers depend on restarts. */
  readonly paragraphs: ReadonlyMap<ElementNode, ParagraphNumbering>;
  /** The paragraphs whose numbers depend on the styles that tags choose. */
  readonly styled: ReadonlyMap<ElementNode, StyledParagraph>;
  /** The lists that begin in a footnote, an endnote or a comment. They restart in each further copy of it. */
  readonly ofNote: ReadonlyMap<ElementNode, readonly number[]>;
}

/** An open block that repeats, or an open branch of a condition. */
interface OpenBlock {
  readonly tag: TagNode;
  readonly kind: "loop" | "section" | "branch";
  /**
   * Identifies the choice that shows the block. Blocks with the same `choice` and different values of `branch` are
   * never shown in the same iteration.
   */
  readonly choice: TagNode | string;
  readonly branch: number;
  readonly items: Map<number, Item[]>;
}

interface Item {
  readonly level: number;
  /** The blocks between the block and the item, outermost first. */
  readonly within: readonly OpenBlock[];
}

/**
 * Finds the lists that restart in each iteration of a block: lists whose first item is in the block, unless each
 * iteration is one item of the list. That is the case if an iteration contains a single item of its lowest level: a
 * `{{for}}` around one item is numbered 1, 2, 3, whatever else it repeats. A list of an included template always restarts
 * in each iteration of a block around the inclusion.
 */
export function findListRestarts(root: ElementNode, facts: ListFacts): ListRestarts {
  const finder = new Finder(facts);
  finder.children(root);
  return finder.result();
}

const NOTES: ReadonlySet<string> = new Set(["w:footnote", "w:endnote", "w:comment"]);

class Finder {
  readonly #facts: ListFacts;
  readonly #open: OpenBlock[] = [];
  /** The blocks around the first item of each list, outermost first. */
  readonly #first = new Map<number, readonly OpenBlock[]>();
  readonly #paragraphs: [ElementNode, ParagraphNumbering][] = [];
  readonly #styled = new Map<ElementNode, StyledParagraph>();
  /** The lists of the styles that tags may choose. */
  readonly #chosen = new Set<ReadonlySet<number>>();
  readonly #blocks = new ListsOfBlocks();
  readonly #ofNote = new Map<ElementNode, readonly number[]>();

  constructor(facts: ListFacts) {
    this.#facts = facts;
  }

  children(parent: ElementNode): void {
    for (const node of parent.children) this.#node(node);
  }

  #node(node: TemplateNode): void {
    if (node.kind === "marker") this.#marker(node);
    if (node.kind !== "element") return;
    if (node.name === "w:p") this.#paragraph(node);
    if (NOTES.has(node.name)) this.#note(node);
    else this.children(node);
  }

  #note(note: ElementNode): void {
    const before = new Set(this.#first.keys());
    this.children(note);
    const begun = [...this.#first.keys()].filter((numId) => !before.has(numId));
    this.#ofNote.set(note, begun);
  }

  #marker({ tag }: MarkerNode): void {
    const { directive } = tag;
    if (directive.kind.startsWith("end")) this.#open.pop();
    else if (directive.kind === "else" || directive.kind === "elseif") {
      const before = this.#open.pop();
      if (before === undefined) throw new Error("A branch is outside its block.");
      this.#open.push({ ...before, branch: before.branch + 1, items: new Map() });
    } else {
      const section = directive.kind === "section" ? directive : null;
      this.#open.push({
        tag,
        kind:
          directive.kind === "if" || section?.inverted ? "branch" : section ? "section" : "loop",
        choice: section?.name ?? tag,
        branch: section?.inverted ? 1 : 0,
        items: new Map(),
      });
    }
  }

  #paragraph(paragraph: ElementNode): void {
    const styled = styledParagraph(paragraph, this.#facts);
    if (styled !== null) {
      this.#styled.set(paragraph, styled);
      this.#chosen.add(styled.lists);
      this.#blocks.choose(this.#open);
    }
    const numbering = numberingOf(paragraph, this.#facts);
    if (numbering === null || !this.#facts.counts(numbering.numId)) return;
    for (const [index, block] of this.#open.entries()) {
      const items = block.items.get(numbering.numId) ?? [];
      items.push({ level: numbering.level, within: this.#open.slice(index + 1) });
      block.items.set(numbering.numId, items);
    }
    if (styled === null) this.#paragraphs.push([paragraph, numbering]);
    if (!this.#first.has(numbering.numId)) this.#first.set(numbering.numId, [...this.#open]);
  }

  result(): ListRestarts {
    const lists = this.#blocks;
    for (const [numId, blocks] of this.#first) {
      const included = this.#facts.includedPart(numId);
      for (const [index, block] of blocks.entries()) {
        if (block.kind === "branch") continue;
        const isAround = included !== null && block.tag.place.part !== included;
        const turn = isAround ? "list" : turnOf(block.items.get(numId) ?? []);
        if (turn === "list") lists.restart(block.tag, numId);
        else lists.decide(block.tag, numId);
        if (turn === "either") lists.defer(block.tag, blocks.slice(index + 1), numId);
      }
    }
    const { ofBlock } = lists;
    const byTags = this.#paragraphs.filter(([{ numberedBy }]) => numberedBy !== undefined);
    const numbers = new Set([
      ...lists.numbers,
      ...[...this.#ofNote.values()].flat(),
      ...byTags.map(([, { numId }]) => numId),
      ...[...this.#chosen].flatMap((lists) => [...lists]),
      ...[...this.#styled.values()].flatMap(({ numbering }) => numbering?.numId ?? []),
    ]);
    return {
      ofBlock,
      paragraphs: new Map(this.#paragraphs.filter(([, { numId }]) => numbers.has(numId))),
      styled: this.#styled,
      ofNote: this.#ofNote,
    };
  }
}

/** Returns what a block does in which no list begins. */
export function noLists(): EditableLists {
  return {
    ...{ restarted: [], deferred: [], held: [], decided: [] },
    ...{ chosen: null, holdsChosen: false },
  };
}

interface EditableLists extends Record<"restarted" | "deferred" | "held" | "decided", number[]> {
  chosen: BlockLists["chosen"];
  holdsChosen: boolean;
}

/** Collects the effect of each block on lists. */
class ListsOfBlocks {
  readonly ofBlock = new Map<TagNode, EditableLists>();
  readonly numbers = new Set<number>();

  restart(tag: TagNode, numId: number): void {
    this.numbers.add(numId);
    this.#of(tag).restarted.push(numId);
  }

  defer(tag: TagNode, within: readonly OpenBlock[], numId: number): void {
    this.numbers.add(numId);
    this.#of(tag).deferred.push(numId);
    for (const block of within) {
      if (block.kind === "section") this.#of(block.tag).held.push(numId);
    }
  }

  /** Notes that the iterations of a block do not restart a list whose first item is in the block. */
  decide(tag: TagNode, numId: number): void {
    this.ofBlock.get(tag)?.decided.push(numId);
  }

  /** Notes a paragraph whose style tags choose, by the blocks around it. */
  choose(blocks: readonly OpenBlock[]): void {
    for (const [index, { kind, tag }] of blocks.entries()) {
      if (kind === "branch") continue;
      const turn = turnWithin(blocks.slice(index + 1));
      const lists = this.#of(tag);
      if (kind === "section") lists.holdsChosen = true;
      if (turn === "list" || (turn === "either" && lists.chosen === null)) lists.chosen = turn;
    }
  }

  #of(tag: TagNode): EditableLists {
    const lists = this.ofBlock.get(tag) ?? noLists();
    this.ofBlock.set(tag, lists);
    return lists;
  }
}

/**
 * Returns the role of a block's iteration in a list: one item of the list, a separate list, or either one, depending on
 * the data.
 */
function turnOf(items: readonly Item[]): "item" | "list" | "either" {
  const lowest = Math.min(...items.map(({ level }) => level));
  const lead = items.filter(({ level }) => level === lowest);
  const isSingle = lead.every((item, index) =>
    lead.slice(index + 1).every((other) => exclude(item.within, other.within)),
  );
  if (!isSingle) return "list";
  return turnWithin(lead.flatMap(({ within }) => within));
}

/** Returns the role of a block's iteration in a list with one item in the template, within these inner blocks. */
function turnWithin(blocks: readonly OpenBlock[]): "item" | "list" | "either" {
  if (blocks.some(({ kind }) => kind === "loop")) return "list";
  return blocks.some(({ kind }) => kind === "section") ? "either" : "item";
}

/** Whether two items are never shown in the same iteration, because they are in different branches of one choice. */
function exclude(a: readonly OpenBlock[], b: readonly OpenBlock[]): boolean {
  return a.some(({ choice, branch }) =>
    b.some((other) => other.choice === choice && other.branch !== branch),
  );
}
