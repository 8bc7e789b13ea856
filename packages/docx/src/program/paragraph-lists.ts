import { childNamed, type ElementNode, type TagNode } from "../template/nodes/nodes.ts";
import type { Indents } from "../template/nodes/paragraph-properties.ts";
import type { Numbering, StyleChoice } from "../template/nodes/tag-uses.ts";

/** What the compiler must know about the template's lists. */
export interface ListFacts {
  /** Returns the numbering of a paragraph style; null if the style is not numbered. */
  readonly ofStyle: (style: string) => Numbering | null;
  /** Returns the id of the paragraph style with this name, in upper or lower case, or null. */
  readonly styleId: (name: string) => string | null;
  /** Returns the lists of all paragraph styles that have numbers. */
  readonly ofStyles: () => ReadonlySet<number>;
  /** Returns the indents of a paragraph style that override the indents of its list. */
  readonly indentsOf: (style: string) => Indents;
  /** Whether a list has numbers, so that it can restart. Bullet lists do not have numbers. */
  readonly counts: (numId: number) => boolean;
  /** The part from which a list was included, if it restarts in each inclusion; otherwise null. */
  readonly includedPart: (numId: number) => string | null;
}

/** The numbering of a paragraph. */
export interface ParagraphNumbering extends Numbering {
  /** Whether the paragraph names its list directly. */
  readonly own: boolean;
  /** The indents of the paragraph's style that override the indents of the list. */
  readonly indents: Indents;
}

/** Returns the numbering that a paragraph has in the template; null if it has none. */
export function numberingOf(paragraph: ElementNode, facts: ListFacts): ParagraphNumbering | null {
  const properties = childNamed(paragraph, "w:pPr");
  const own = childNamed(properties, "w:numPr");
  const numId = numberIn(childNamed(own, "w:numId"));
  if (own !== null && numId === null) return null;
  const style = valOf(childNamed(properties, "w:pStyle"));
  const ofStyle = style === null ? null : facts.ofStyle(style);
  const level = numberIn(childNamed(own, "w:ilvl")) ?? ofStyle?.level ?? 0;
  if (numId !== null) return numId === 0 ? null : { numId, level, own: true, indents: {} };
  if (style === null || ofStyle === null) return null;
  return { numId: ofStyle.numId, level, own: false, indents: facts.indentsOf(style) };
}

/** A paragraph whose style tags may choose, and the lists with numbers of the styles that they may choose. */
export interface StyledParagraph extends StyleChoice<TagNode> {
  readonly lists: ReadonlySet<number>;
}

/**
 * Returns the choice of a paragraph whose style tags may choose; null for other paragraphs, and if the choice cannot
 * change a number. In Word, a list that a paragraph names directly takes precedence over its style.
 */
export function styledParagraph(paragraph: ElementNode, facts: ListFacts): StyledParagraph | null {
  const properties = childNamed(paragraph, "w:pPr");
  const style = childNamed(properties, "w:pStyle");
  const own = childNamed(properties, "w:numPr");
  if (style?.look === undefined || (own !== null && own.ownIndents === undefined)) return null;
  const { tags } = style.look;
  const numbering = numberingOf(paragraph, facts);
  const lists = listsOf(tags, facts);
  const isNumbered = numbering !== null && facts.counts(numbering.numId);
  if (lists.size === 0 && !isNumbered) return null;
  return { tags, style: valOf(style), numbering, lists };
}

/** Returns the lists with numbers whose styles tags may choose. */
function listsOf(tags: readonly TagNode[], facts: ListFacts): ReadonlySet<number> {
  const names = new Set<string>();
  for (const { directive } of tags) {
    const modifiers = directive.kind === "value" ? directive.modifiers : [];
    const name = modifiers.find((call) => call.name === "style")?.arguments[0];
    if (name?.kind === "data") return facts.ofStyles();
    if (name !== undefined) names.add(name.value);
  }
  const ids = [...names].flatMap((name) => facts.styleId(name) ?? []);
  return new Set(ids.flatMap((id) => facts.ofStyle(id)?.numId ?? []).filter(facts.counts));
}

function valOf(element: ElementNode | null): string | null {
  return / w:val="([^"]*)"/.exec(element?.attributes ?? "")?.[1] ?? null;
}

function numberIn(element: ElementNode | null): number | null {
  const value = /^\d{1,9}$/.exec(valOf(element) ?? "")?.[0];
  return value === undefined ? null : Number(value);
}
