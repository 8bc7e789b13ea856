import type { Diagnostic } from "@quire/contracts";
import type { PackageLimits } from "@quire/ooxml/internal/limits/limits";
import { tooLarge, tooMany } from "@quire/ooxml/internal/limits/refusal";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import { hasInText, hasReferenceTo } from "@quire/ooxml/internal/xml/quick-look";
import { type Allowance, canonicalXml, unbounded } from "@quire/ooxml/internal/xml/xml";
import type { CompileOptions } from "./compile-options.ts";
import { withoutGuids } from "./language/delimiters/braces.ts";
import { delimitersFor, widestDelimiters } from "./language/delimiters/choose-delimiters.ts";
import type { Delimiters } from "./language/delimiters/delimiters.ts";
import { type Figure, figuresOf } from "./template/figures.ts";
import { mayLookLikeTags, withoutTags } from "./template/mistakes/without-tags.ts";
import { withoutOwnComments } from "./template/nodes/own-comments.ts";
import { LONE_ELEMENTS, PARAGRAPHS } from "./template/nodes/paragraph-texts.ts";
import { writtenAttributesIn } from "./template/tags/attribute-tags.ts";

const PROPERTY_KINDS = ["core-properties", "extended-properties", "custom-properties"];

/** The namespace of the properties of a cover page, such as its date and its abstract. */
const COVER_PAGE = "http://schemas.microsoft.com/office/2006/coverPageProps";

/** The limits for a template. */
interface Bounds {
  readonly allowance: Allowance;
  readonly limits: PackageLimits;
}

/** The text of a template that may contain tags. */
export interface TemplateTexts {
  /** The canonical XML of each part; empty for a template without tags. */
  readonly texts: Map<string, string>;
  readonly delimiters: Delimiters;
  /** Whether a tag may name a key with spaces or hyphens without brackets. */
  readonly bareNames: boolean;
  /** The charts and SmartArt, including those without tags. */
  readonly figures: readonly Figure[];
  /** The parts that were searched for tags, whether or not they contain any. */
  readonly read: ReadonlySet<string>;
  /** For a template without tags: warnings about text that looks like a tag. */
  readonly untagged: readonly Diagnostic[];
}

/** Reads the parts of a template that may contain tags, and determines its delimiters. */
export function readTemplateTexts(
  docx: DocxPackage,
  options: CompileOptions,
  bounds: Bounds,
): TemplateTexts {
  const ends = widestDelimiters(options.delimiters);
  const figures = figuresOf(docx, runningStories(docx));
  const others = new Set([...figures.map(({ part }) => part), ...propertyParts(docx)]);
  const texts = new Map([
    ...readTexts(docx, ends, bounds.allowance),
    ...readOthers(docx, others, ends, bounds),
  ]);
  const found = delimitersFor(options.delimiters, () =>
    [...texts].map(([part, xml]) => wordsOf(xml) + addressesOf(docx, part)).join("\n"),
  );
  const { delimiters } = found;
  // If nothing opens a tag, braces that would close one are text.
  const opened = [...texts].some(([part, xml]) =>
    withoutGuids(wordsOf(xml) + addressesOf(docx, part)).includes(delimiters.start),
  );
  const untagged = opened ? [] : withoutTags(allTexts(docx, texts), delimiters);
  if (!opened) texts.clear();
  checkTagCount(texts, delimiters, bounds.limits.tags);
  return { ...found, texts, figures, read: new Set([...docx.storyParts, ...others]), untagged };
}

/**
 * Returns the canonical XML of every story that may contain a tag. Notes and then comments come last, because the parts
 * that refer to them must be compiled first.
 */
function readTexts(docx: DocxPackage, ends: Delimiters, allowance: Allowance): Map<string, string> {
  const texts = new Map<string, string>();
  const stories = docx.storyParts.toSorted((a, b) => notesRank(docx, a) - notesRank(docx, b));
  const tagged = stories.filter((part) => mayHoldTags(docx, part, ends));
  // If a story has tags, its notes and comments may have to be written for each iteration of a loop.
  const marks = tagged.some((part) => docx.readText(part).includes("bookmarkStart"));
  // Other parts may refer to content that a block omits. The main part may be very large, so it is read only if a part
  // with tags has bookmarks.
  const refers = (part: string): boolean =>
    (marks || part !== docx.mainPart) && mayRefer(docx.readText(part));
  const wanted =
    tagged.length === 0
      ? []
      : stories.filter(
          (part) => tagged.includes(part) || notesRank(docx, part) > 0 || refers(part),
        );
  for (const part of wanted) texts.set(part, canonicalXml(part, docx.readText(part), allowance));
  return texts;
}

/**
 * Returns the canonical XML of the charts, SmartArt and properties that may contain a tag. Other parts are not parsed,
 * so their XML may be malformed.
 */
function readOthers(
  docx: DocxPackage,
  parts: Iterable<string>,
  ends: Delimiters,
  { allowance, limits }: Bounds,
): Map<string, string> {
  const texts = new Map<string, string>();
  let size = 0;
  for (const part of parts) {
    if (!mayHoldTags(docx, part, ends)) continue;
    const xml = docx.readText(part);
    size += xml.length;
    if (size > limits.textBytes) throw tooLarge("its text", size, limits.textBytes);
    texts.set(part, canonicalXml(part, xml, allowance));
  }
  return texts;
}

/** Returns, for a template without tags, the parts with text that may look like a tag with any delimiters. */
function allTexts(docx: DocxPackage, texts: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map<string, string>();
  for (const part of docx.storyParts) {
    const xml = docx.readText(part);
    if (mayLookLikeTags(xml))
      all.set(part, texts.get(part) ?? canonicalXml(part, xml, unbounded()));
  }
  for (const [part, xml] of texts) if (!all.has(part)) all.set(part, xml);
  return all;
}

/** Whether a part has fields or internal links. */
function mayRefer(xml: string): boolean {
  return /fldChar|fldSimple|:anchor\s*=/.test(xml);
}

/** Quickly checks whether the text of a part, an attribute or a link address may contain a delimiter. */
function mayHoldTags(docx: DocxPackage, part: string, { start, end }: Delimiters): boolean {
  const xml = docx.readText(part);
  return (
    hasInText(xml, start[0] ?? "") ||
    hasInText(xml, end[0] ?? "") ||
    xml.includes(start) ||
    hasReferenceTo(xml, start + end) ||
    /[{%]/.test(addressesOf(docx, part))
  );
}

/** Throws `limit_exceeded` for too many tags. Each stray delimiter counts as a tag. */
function checkTagCount(
  texts: ReadonlyMap<string, string>,
  { start }: Delimiters,
  limit: number,
): void {
  let characters = 0;
  for (const xml of texts.values()) {
    const first = start[0] ?? "";
    for (let at = xml.indexOf(first); at !== -1; at = xml.indexOf(first, at + 1)) characters += 1;
  }
  if (characters > limit * start.length) throw tooMany("tags", limit);
}

/** Returns all stories except notes and comments, because a loop may write a note or a comment several times. */
function runningStories(docx: DocxPackage): string[] {
  return docx.storyParts.filter((part) => notesRank(docx, part) === 0);
}

/** Returns the parts with document properties, including the properties for a cover page. */
function propertyParts(docx: DocxPackage): string[] {
  const stores = docx
    .relationshipsOf(docx.mainPart)
    .flatMap(({ kind, part }) => (kind === "customXml" && part !== null ? [part] : []))
    .filter((part) => docx.mayHold(part) && docx.readText(part).includes(COVER_PAGE));
  return [...PROPERTY_KINDS.flatMap((kind) => docx.partByKind(kind) ?? []), ...new Set(stores)];
}

/** Matches the edges of paragraphs and other separate texts, so that braces on both sides do not form one delimiter. */
const APART = new RegExp(`</?(?:${[...PARAGRAPHS, ...LONE_ELEMENTS].join("|")})(?=[ >])`, "g");

/** Returns all content that may contain a tag: text that is not deleted, and attributes. */
function wordsOf(xml: string): string {
  const text = withoutOwnComments(xml)
    .replace(/(?<!<w:t(?: [^>]*)?)>\s+</g, "><")
    .replace(APART, "\n$&")
    .replace(/<w:(?:del|moved)Text[^>]*>[^<]*/g, "")
    .replace(/<[^>]*>/g, "");
  return text + writtenAttributesIn(xml).join("\n");
}

function addressesOf(docx: DocxPackage, part: string): string {
  return [...linkTargets(docx, part).values()]
    .join("\n")
    .replaceAll(/%7b/gi, "{")
    .replaceAll(/%7d/gi, "}");
}

function notesRank(docx: DocxPackage, part: string): number {
  const type = docx.contentTypeOf(part) ?? "";
  if (type.endsWith(".comments+xml")) return 2;
  return /\.(?:footnotes|endnotes)\+xml$/.test(type) ? 1 : 0;
}

/** Returns the addresses of a part's hyperlinks, by relationship id. */
export function linkTargets(docx: DocxPackage, part: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { id, kind, target, external } of docx.relationshipsOf(part)) {
    if (external && kind === "hyperlink") targets.set(id, target);
  }
  return targets;
}
