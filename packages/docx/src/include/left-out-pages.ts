import {
  ancestors,
  attributesOf,
  childNamed,
  descendants,
  type ElementNode,
  leadingProperties,
  type TemplateNode,
} from "../template/nodes/nodes.ts";

/** One millimeter in twentieths of a point. Smaller differences come from rounding inches and centimeters. */
const VISIBLE = 57;

/** Returns the properties of all sections of a body, in order. */
export function sectionsOf(body: ElementNode): ElementNode[] {
  const found: ElementNode[] = [];
  for (const node of descendants(body)) {
    if (node.kind !== "element" || node.name !== "w:sectPr") continue;
    if (node.parent === body || node.parent?.name === "w:pPr") found.push(node);
  }
  return found;
}

/** Returns the properties of the section that contains a paragraph; null if its part has no sections. */
export function sectionAround(paragraph: ElementNode): ElementNode | null {
  const chain = [...ancestors(paragraph), paragraph];
  const at = chain.findIndex(({ name }) => name === "w:body");
  const [body, block] = [chain[at], chain[at + 1]];
  if (at === -1 || body === undefined || block === undefined) return null;
  for (let index = body.children.indexOf(block); index < body.children.length; index += 1) {
    const found = sectionEndingIn(body.children[index]);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the properties of the first section that ends in a block; null if none does. No section ends in a table. */
function sectionEndingIn(node: TemplateNode | undefined): ElementNode | null {
  if (node?.kind !== "element" || node.name === "w:tbl") return null;
  if (node.name === "w:sectPr") return node;
  if (node.name === "w:p") return childNamed(leadingProperties(node, "w:pPr"), "w:sectPr");
  return sectionsOf(node)[0] ?? null;
}

/** Names the visible differences between the pages of an included body and the receiving section. */
export function leftOutPages(root: ElementNode, receiving: ElementNode | null): string[] {
  const body = childNamed(root, "w:body");
  if (body === null) return [];
  const sections = sectionsOf(body);
  const found = new Set<string>();
  if (sections.some(({ parent }) => parent !== body)) found.add("its section breaks");
  if (receiving === null) return [...found];
  for (const section of sections) {
    for (const difference of differences(section, receiving)) found.add(difference);
  }
  return [...found];
}

function differences(own: ElementNode, other: ElementNode): string[] {
  const found: string[] = [];
  const page = numbers(own, "w:pgSz");
  const pageThere = numbers(other, "w:pgSz");
  if (differ(page, pageThere, ["w", "h"])) {
    const isTurned = !differ({ w: page.h, h: page.w }, pageThere, ["w", "h"]);
    found.push(isTurned ? "its page orientation" : "its page size");
  }
  const margins = ["left", "right", "top", "bottom"];
  if (differ(numbers(own, "w:pgMar"), numbers(other, "w:pgMar"), margins)) {
    found.push("its margins");
  }
  if ((numbers(own, "w:cols").num ?? 1) !== (numbers(other, "w:cols").num ?? 1)) {
    found.push("its columns");
  }
  for (const [element, words] of FEATURES) {
    if (childNamed(own, element) !== null && childNamed(other, element) === null) found.push(words);
  }
  return found;
}

/** The visible features that a section may have, with their names in messages. */
const FEATURES: readonly (readonly [element: string, words: string])[] = [
  ["w:pgBorders", "its page borders"],
  ["w:lnNumType", "its line numbers"],
];

type Numbers = Readonly<Record<string, number | undefined>>;

function numbers(section: ElementNode, name: string): Numbers {
  const element = childNamed(section, name);
  const all = Object.entries(attributesOf(element?.attributes ?? ""));
  return Object.fromEntries(
    all.map(([key, value]) => [key.slice("w:".length), Number.parseFloat(value ?? "")]),
  );
}

/**
 * Whether two sections differ visibly in these measurements. Measurements that only one section has are not compared.
 */
function differ(a: Numbers, b: Numbers, names: readonly string[]): boolean {
  return names.some(
    (name) => Math.abs((a[name] ?? Number.NaN) - (b[name] ?? Number.NaN)) > VISIBLE,
  );
}
