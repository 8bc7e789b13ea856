import { unescapeXml } from "@quire/ooxml/internal/xml/escape";
import {
  attributesOf,
  contentOf,
  detach,
  type ElementNode,
  element,
  insertAt,
  isVisible,
  type TagNode,
  type TemplateNode,
} from "./nodes/nodes.ts";

/** A section of the main part, which ends at a section break or at the end of the body. */
export interface BreakSection {
  /** The loops whose items its content may be, outermost first. */
  readonly loops: readonly TagNode[];
  /** Whether its break is the first content of its innermost loop, so that it ends the iteration before. */
  readonly isLeading: boolean;
  /** The paragraph of its break; null at the end of the body. */
  readonly paragraph: ElementNode | null;
  /** Whether this paragraph has content. */
  readonly hasText: boolean;
  /** The relationships to its own headers and footers, by their element and type: `w:headerReference first`. */
  readonly own: ReadonlyMap<string, string>;
  /** Removes its references to headers with these keys. Returns the element that takes their place. */
  readonly replace: (keys: ReadonlySet<string>) => ElementNode;
}

/** An open block, with the number of paragraphs and tables that began in it. */
interface OpenBlock {
  readonly tag: TagNode;
  count: number;
  /** The last break directly in it, and the number up to it. */
  end: { readonly at: Break; readonly count: number } | null;
}

/** A break, with the blocks around it. */
interface Break {
  readonly properties: ElementNode;
  readonly paragraph: ElementNode | null;
  readonly hasText: boolean;
  readonly blocks: readonly TagNode[];
  readonly isLeading: boolean;
  /** Whether every iteration of its innermost loop ends with it. */
  isLast: boolean;
}

/** Returns the sections of a body whose blocks are markers, in document order. */
export function breakSections(root: ElementNode): BreakSection[] {
  const breaks = breaksIn(root);
  const order = new Map<TagNode, number>();
  for (const tag of breaks.flatMap(({ blocks }) => blocks)) {
    if (!order.has(tag)) order.set(tag, order.size);
  }
  const inOrder = (a: TagNode, b: TagNode): number => (order.get(a) ?? 0) - (order.get(b) ?? 0);
  return breaks.map(({ properties, paragraph, hasText, isLeading }, index) => ({
    loops: loopsOf(breaks, index).sort(inOrder),
    isLeading,
    paragraph,
    hasText,
    own: ownOf(properties),
    replace: (keys) => replaced(properties, keys),
  }));
}

function breaksIn(root: ElementNode): Break[] {
  const reader = new BreakReader();
  for (const node of blocksBelow(root)) reader.read(node);
  return reader.breaks;
}

class BreakReader {
  readonly breaks: Break[] = [];
  readonly #open: OpenBlock[] = [];

  read(node: TemplateNode): void {
    if (node.kind === "marker") this.#marker(node.tag);
    else if (node.kind !== "element") return;
    else if (node.name === "w:p" || node.name === "w:tbl") {
      for (const each of this.#open) each.count += 1;
    } else if (isBreak(node)) this.#break(node);
  }

  #marker(tag: TagNode): void {
    const step = stepOf(tag);
    if (step > 0) this.#open.push({ tag, count: 0, end: null });
    const closed = step < 0 ? this.#open.pop() : undefined;
    const end = closed?.end;
    if (end && end.count === closed?.count) end.at.isLast = true;
  }

  #break(properties: ElementNode): void {
    const open = this.#open;
    const loop = open.findLast(({ tag }) => isLoop(tag));
    const paragraph = properties.parent?.name === "w:pPr" ? properties.parent.parent : null;
    const hasText = paragraph !== null && [...contentOf(paragraph)].some(isContent);
    const at: Break = {
      properties,
      paragraph,
      hasText,
      blocks: open.map(({ tag }) => tag),
      isLeading: loop?.count === 1 && !hasText,
      isLast: false,
    };
    this.breaks.push(at);
    if (loop !== undefined && open.at(-1) === loop) loop.end = { at, count: loop.count };
  }
}

function isContent(node: TemplateNode): boolean {
  return node.kind !== "marker" && isVisible(node);
}

/** Yields the content of a body without the content of tables, where no section ends. */
function* blocksBelow(element: ElementNode): Generator<TemplateNode> {
  for (const child of element.children) {
    yield child;
    if (child.kind === "element" && child.name !== "w:tbl" && child.name !== "w:sectPr") {
      yield* blocksBelow(child);
    }
  }
}

function isBreak(node: TemplateNode): node is ElementNode {
  if (node.kind !== "element" || node.name !== "w:sectPr") return false;
  const { parent } = node;
  return parent?.name === "w:body" || (parent?.name === "w:pPr" && parent.parent?.name === "w:p");
}

/** Returns how a tag changes the number of open blocks. */
function stepOf({ directive: { kind } }: TagNode): number {
  if (kind === "else" || kind === "elseif") return 0;
  return kind.startsWith("end") ? -1 : 1;
}

function isLoop({ directive }: TagNode): boolean {
  return "alias" in directive || (directive.kind === "section" && !directive.inverted);
}

/**
 * Returns the loops whose items the content of a section may be: those around its break, and those around the breaks
 * before it that a document may lack, or after which the loop has more content.
 */
function loopsOf(breaks: readonly Break[], index: number): TagNode[] {
  const own = breaks[index]?.blocks ?? [];
  const found = new Set(own.filter(isLoop));
  const inner = own.findLast(isLoop);
  const add = ({ blocks, isLast }: Break): void => {
    const last = blocks.findLast(isLoop);
    for (const loop of blocks.filter(isLoop)) if (!isLast || loop !== last) found.add(loop);
  };
  for (const each of breaks.slice(Math.max(index - MAX_BREAKS, 0), index).reverse()) {
    if (each.blocks.every((block, depth) => block === own[depth])) break;
    add(each);
  }
  // The iteration before may end with a later break of the same loop.
  for (const each of breaks.slice(index + 1, index + 1 + MAX_BREAKS)) {
    if (inner === undefined || !each.blocks.includes(inner)) break;
    add(each);
  }
  return [...found];
}

/** Number of breaks to examine on each side of a break, because there may be thousands. */
const MAX_BREAKS = 100;

/** Returns the relationships to headers and footers. Of several with the same key, the first counts. */
function ownOf(properties: ElementNode): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  for (const [key, { id }] of referencesIn(properties)) if (!own.has(key)) own.set(key, id);
  return own;
}

/** Returns the references to headers and footers, by element and type. */
function referencesIn(
  properties: ElementNode,
): (readonly [key: string, { readonly node: ElementNode; readonly id: string }])[] {
  return properties.children.flatMap((node) => {
    if (node.kind !== "element" || !/^w:(?:header|footer)Reference$/.test(node.name)) return [];
    const { "w:type": type = "default", "r:id": id } = attributesOf(node.attributes);
    if (id === undefined || !/^(?:default|first|even)$/.test(type)) return [];
    return [[`${node.name} ${type}`, { node, id: unescapeXml(id) }] as const];
  });
}

function replaced(properties: ElementNode, keys: ReadonlySet<string>): ElementNode {
  for (const [key, { node }] of referencesIn(properties)) if (keys.has(key)) detach(node);
  const placed = element("w:headerReference", "");
  insertAt(properties, 0, placed);
  return placed;
}
