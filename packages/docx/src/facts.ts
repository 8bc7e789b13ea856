import type { DocxPackage } from "@quire/ooxml/internal/open";
import { relationshipsPartOf } from "@quire/ooxml/internal/package/relationships";
import { canonicalXml } from "@quire/ooxml/internal/xml/xml";
import type { CompileContext } from "./compile/analysis.ts";
import { isSpecialNote } from "./compile/compile.ts";
import { copyPlans } from "./copy-plans.ts";
import { readTheme, type ThemeFont } from "./fit/text-format.ts";
import { readTextStyles, type TextStyles } from "./fit/text-styles.ts";
import type { DefinitionParts } from "./include/definitions.ts";
import type { Marks, Merger } from "./include/merge.ts";
import { partLinks } from "./part-links.ts";
import { listFacts, readNumbering } from "./program/numbering-part.ts";
import { PartGraph } from "./program/part-graph.ts";
import type { PackageFacts } from "./render/output.ts";
import {
  overrideXml,
  relationshipsXml,
  type TemplateRelationship,
  withTypes,
} from "./render/references/package-lists.ts";
import type { LoopedChart } from "./template/looped-figures.ts";
import { isHeader, type PlacedHeaders } from "./template/looped-headers.ts";
import { attributesOf, descendants } from "./template/nodes/nodes.ts";
import { readStyles } from "./template/styles.ts";
import type { PartTree } from "./template/tree.ts";

/** Reads the parts that define styles and lists, as canonical XML. */
export function readDefinitions(docx: DocxPackage): DefinitionParts {
  const read = (kind: string): string | null => {
    const part = docx.partByKind(kind);
    return part === null ? null : canonicalXml(part, docx.readText(part));
  };
  return { styles: read("styles"), numbering: read("numbering") };
}

/** Returns the bookmark names and the highest id of drawings and marks in all stories of the template. */
export function readMarks(docx: DocxPackage, texts: ReadonlyMap<string, string>): Marks {
  const stories = storyTexts(docx, texts);
  const maxId = greatest(stories, /(?:<wp:docPr[^>]*? id| w:id)="(\d{1,9})"/g);
  return { bookmarks: namesOf(stories), maxId };
}

/**
 * Collects what the compiler and the renderer must know about a package. `merger` must already have added the included
 * content.
 */
export function gatherFacts(
  docx: DocxPackage,
  texts: ReadonlyMap<string, string>,
  definitions: DefinitionParts,
  merger: Merger,
  trees: readonly PartTree[],
  charts: ReadonlyMap<string, LoopedChart>,
  headers: PlacedHeaders,
): { readonly facts: PackageFacts; readonly context: Omit<CompileContext, "references"> } {
  const { mainPart } = docx;
  const { definitions: merged } = merger;
  const styles = readStyles("styles", merged.styles ?? definitions.styles);
  const numbering = readNumbering(
    merger.partOf("numbering"),
    merged.numbering ?? definitions.numbering,
    mainPart,
  );
  const lists = listFacts(numbering, styles);
  const settled = new Set(merger.copied.relationships.keys());
  const spent = new Map(trees.map((tree) => [tree.part, spentLinks(tree)]));
  for (const [part, ids] of spent) if (ids.size > 0) settled.add(part);
  const textStyles = textStylesOf(docx, merged.styles ?? definitions.styles);
  const graph = new PartGraph((part) => partLinks(part, docx, merger.copied));
  const hasPart = (name: string): boolean => docx.has(name);
  const relationshipsOf = (part: string): TemplateRelationship[] =>
    [...docx.relationshipsOf(part), ...(merger.copied.relationships.get(part) ?? [])].filter(
      ({ id }) => !spent.get(part)?.has(id),
    );
  const facts: PackageFacts = {
    mainPart,
    stories: new Set(docx.storyParts),
    headers: new Set(docx.storyParts.filter((part) => isHeader(part, docx))),
    graph,
    relationshipsOf,
    plans: copyPlans(charts, headers, { docx, trees, relationshipsOf }),
    settled,
    contentTypes: mergedTypes(docx, merger, settled, hasPart),
    numbering,
    lists,
    styleId: (name, type) => styles.idOf(name, type),
    stylesOf: (type) => styles.ofType(type),
    fontSize: styles.fontSize,
    textStyles,
    maxDrawingId: merger.maxId,
    maxMarkId: merger.maxId,
    specialNotes: specialNotes([...texts.values()]),
    bookmarks: merger.bookmarks,
    hasPart,
  };
  const context = {
    graph,
    charts: [...charts.values()],
    headers,
    copiedParts: new Map(
      [...facts.plans].flatMap(([original, { isNew, parts }]) =>
        isNew ? [] : parts.map(({ part }) => [part, original] as const),
      ),
    ),
    lists: {
      ...lists,
      includedPart: (numId: number) => merged.listParts.get(numId) ?? null,
    },
    textStyles,
    textWidthEmu: textWidth(texts.get(mainPart) ?? ""),
  };
  return { facts, context };
}

/**
 * Returns the relationships that are no longer needed, because their links had tags as addresses and now get their
 * addresses from values.
 */
function spentLinks({ root, tags }: PartTree): ReadonlySet<string> {
  const spent = new Set<string>();
  for (const { owner } of tags) {
    const id = owner?.tagged?.has("r:id") ? attributesOf(owner.attributes)["r:id"] : undefined;
    if (id !== undefined) spent.add(id);
  }
  if (spent.size === 0) return spent;
  for (const node of descendants(root)) {
    if (node.kind !== "element" || node.tagged?.has("r:id")) continue;
    for (const [, id = ""] of node.attributes.matchAll(/ r:[A-Za-z]+="([^"]*)"/g)) spent.delete(id);
  }
  return spent;
}

/** Returns the parts that differ from the template but are the same in every document, by name. */
export function settledParts(
  docx: DocxPackage,
  facts: PackageFacts,
  merger: Merger,
): Map<string, string | Uint8Array> {
  const parts = new Map<string, string | Uint8Array>(merger.copied.parts);
  const { styles, numbering } = merger.definitions;
  const stylesPart = docx.partByKind("styles");
  const numberingPart = docx.partByKind("numbering");
  if (styles !== null && stylesPart !== null) parts.set(stylesPart, styles);
  if (numbering !== null && numberingPart !== null) parts.set(numberingPart, numbering);
  for (const part of facts.settled) {
    parts.set(relationshipsPartOf(part), relationshipsXml(facts.relationshipsOf(part)));
  }
  if (facts.contentTypes !== docx.contentTypesXml) {
    parts.set("[Content_Types].xml", facts.contentTypes);
  }
  return parts;
}

function mergedTypes(
  docx: DocxPackage,
  merger: Merger,
  settled: ReadonlySet<string>,
  hasPart: PackageFacts["hasPart"],
): string {
  const overrides = [...merger.copied.contentTypes].map(([part, type]) => overrideXml(part, type));
  const copied = [...merger.copied.parts.keys()].filter((name) => name.endsWith(".rels"));
  const relationships = [...copied, ...[...settled].map(relationshipsPartOf)];
  const { contentTypesXml: contentTypes } = docx;
  return withTypes({ contentTypes, hasPart }, relationships, overrides.join(""));
}

/** Returns the XML of all stories: canonical where tags are possible, otherwise unchanged. */
function storyTexts(docx: DocxPackage, texts: ReadonlyMap<string, string>): string[] {
  return docx.storyParts.map((part) => texts.get(part) ?? docx.readText(part));
}

function namesOf(texts: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const xml of texts) {
    for (const [, name = ""] of xml.matchAll(/<w:bookmarkStart [^>]*w:name="([^"]*)"/g)) {
      names.add(name.toLowerCase());
    }
  }
  return names;
}

function specialNotes(texts: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const text of texts) {
    for (const [note] of text.matchAll(/<w:(?:foot|end)note [^>]*>/g)) {
      if (!isSpecialNote(note)) continue;
      found.add(Number(/ w:id="(-?\d{1,9})"/.exec(note)?.[1]));
    }
  }
  return found;
}

/** Returns a function that reads the formats of the styles once. */
function textStylesOf(docx: DocxPackage, styles: string | null): () => TextStyles {
  let known: TextStyles | null = null;
  return () => {
    if (known !== null) return known;
    const part = docx.partByKind("theme");
    const theme: ThemeFont = part === null ? () => undefined : readTheme(part, docx.readText(part));
    known = readTextStyles(styles, theme);
    return known;
  };
}

/** Returns the greatest number that a pattern matches, or 0. */
function greatest(texts: readonly string[], pattern: RegExp): number {
  let most = 0;
  for (const text of texts) {
    for (const [, number] of text.matchAll(pattern)) most = Math.max(most, Number(number));
  }
  return most;
}

/** The width of the text on an A4 page with one-inch margins, in twentieths of a point. */
const DEFAULT_WIDTH = 9026;
const EMU_PER_TWIP = 635;

/** Returns the width between the margins of the last section, in EMU. */
function textWidth(xml: string): number {
  const size = /<w:pgSz[^>]*? w:w="(\d{1,6})"/.exec(xml.slice(xml.lastIndexOf("<w:sectPr")))?.[1];
  const margins = /<w:pgMar[^>]*>/.exec(xml.slice(xml.lastIndexOf("<w:sectPr")))?.[0] ?? "";
  const left = Number(/ w:left="(\d{1,6})"/.exec(margins)?.[1] ?? 0);
  const right = Number(/ w:right="(\d{1,6})"/.exec(margins)?.[1] ?? 0);
  const width = size === undefined ? DEFAULT_WIDTH : Number(size) - left - right;
  return (width > 0 ? width : DEFAULT_WIDTH) * EMU_PER_TWIP;
}
