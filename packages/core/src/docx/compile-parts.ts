import { type Diagnostic, listed, QuireError } from "../errors.ts";
import { type CompileOptions, delimitersFor, widestDelimiters } from "./compile-options.ts";
import { compileTrees } from "./compile-trees.ts";
import { gatherFacts, readDefinitions, readMarks, settledParts } from "./facts.ts";
import { Definitions } from "./include/definitions.ts";
import { Includes } from "./include/expand.ts";
import { Merger } from "./include/merge.ts";
import { DEFAULT_LIMITS } from "./package/limits.ts";
import type { DocxPackage } from "./package/open.ts";
import { tooMany } from "./package/refusal.ts";
import { type Allowance, canonicalXml, fullAllowance } from "./package/xml.ts";
import type { NotesProgram, PartProgram } from "./program/ops.ts";
import type { PackageFacts } from "./program/output.ts";
import { withoutGuids } from "./template/braces.ts";
import { checkTree } from "./template/check-tree.ts";
import type { Delimiters } from "./template/delimiters.ts";
import { lexPart } from "./template/lexer.ts";
import { mayHoldMergeFields } from "./template/mistakes/merge-fields.ts";
import { formsOf, inOrder } from "./template/mistakes/told.ts";
import { warningsOf } from "./template/mistakes/warnings.ts";
import { mayLookLikeTags, withoutTags } from "./template/mistakes/without-tags.ts";
import type { TagNode } from "./template/nodes.ts";
import { withoutOwnComments } from "./template/own-comments.ts";
import { readStyles } from "./template/styles.ts";
import { buildTree, type PartTree, type TreeContext } from "./template/tree.ts";

/** A template's tags, read, checked and compiled. */
export interface CompiledParts {
  readonly facts: PackageFacts;
  readonly delimiters: Delimiters;
  readonly programs: readonly PartProgram[];
  readonly notes: readonly NotesProgram[];
  /** Every tag of every part, in document order. */
  readonly tags: readonly TagNode[];
  /** Whether it includes others, so that elements may stand deeper than in any file that was checked. */
  readonly includes: boolean;
  /** Parts that are the same in every document, and not the template's own. */
  readonly settled: ReadonlyMap<string, string | Uint8Array>;
  /** What was removed from included templates, and what looks like a tag and is none. */
  readonly warnings: readonly Diagnostic[];
}

const PROPERTY_KINDS = ["core-properties", "extended-properties", "custom-properties"];

/**
 * Compiles all parts of a package. Throws `invalid_template` with every problem of every part. A part
 * without tags has no program: it is copied as it is.
 */
export async function compileParts(
  docx: DocxPackage,
  options: CompileOptions,
): Promise<CompiledParts> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const allowance = fullAllowance(limits.taggedElements);
  const texts = readTexts(docx, widestDelimiters(options.delimiters), allowance);
  for (const [part, xml] of readProperties(docx, allowance)) texts.set(part, xml);
  const { delimiters, bareNames } = delimitersFor(options.delimiters, () =>
    [...texts].map(([part, xml]) => wordsOf(xml) + addressesOf(docx, part)).join("\n"),
  );
  // Where nothing opens a tag, braces that would close one are text.
  const opened = [...texts].some(([part, xml]) =>
    withoutGuids(wordsOf(xml) + addressesOf(docx, part)).includes(delimiters.start),
  );
  const untagged = opened ? [] : withoutTags(allTexts(docx, texts), delimiters);
  if (!opened) texts.clear();
  checkTagCount(texts, delimiters, limits.tags);
  const definitions = readDefinitions(docx);
  const merger = new Merger(
    docx,
    new Definitions(definitions.styles, definitions.numbering),
    readMarks(docx, texts),
  );
  const tree = {
    delimiters,
    dialect: { bareNames },
    headingStyles: readStyles("styles", definitions.styles).headings,
  };
  const readTemplate = options.readTemplate ?? null;
  const main = { part: docx.mainPart, xml: texts.get(docx.mainPart) };
  const includes = new Includes({ readTemplate, tree, merger, main, limits, allowance });
  const problems: Diagnostic[] = [];
  const trees: PartTree[] = [];
  const tags: TagNode[] = [];
  for (const [part, xml] of texts) {
    const lexed = lexPart(xml, delimiters);
    const own = buildTree(part, lexed, { ...tree, linkTargets: linkTargets(docx, part) });
    const whole = await includes.expand(own);
    const forms = formsOf(own.tags);
    const found = checkTree(whole);
    for (const problem of inOrder(part, found, forms, delimiters)) problems.push(problem);
    trees.push(whole);
    for (const tag of whole.tags) tags.push(tag);
  }
  if (problems.length > 0) throw invalidTemplate(problems);
  merger.settle();
  // Before compiling, which changes the trees.
  const warnings = warningsOf(trees, unreadFields(docx, texts, tree));
  const { facts, context } = gatherFacts(docx, texts, definitions, merger, trees);
  return {
    facts,
    delimiters,
    ...compileTrees(trees, docx, context),
    tags,
    includes: includes.found,
    settled: settledParts(docx, facts, merger),
    warnings: [...untagged, ...includes.warnings, ...warnings],
  };
}

/**
 * The canonical XML of every story that may hold a tag. Notes come last, and comments behind them, since
 * what refers to them must be known.
 */
function readTexts(docx: DocxPackage, ends: Delimiters, allowance: Allowance): Map<string, string> {
  const texts = new Map<string, string>();
  const stories = docx.storyParts.toSorted((a, b) => notesRank(docx, a) - notesRank(docx, b));
  const tagged = stories.filter((part) => mayHoldTags(docx, part, ends));
  // Where one of them has tags, its notes and comments may have to be written for each turn of a loop.
  const wanted =
    tagged.length === 0
      ? []
      : stories.filter((part) => tagged.includes(part) || notesRank(docx, part) > 0);
  for (const part of wanted) texts.set(part, canonicalXml(part, docx.readText(part), allowance));
  return texts;
}

/** The parts of a template without tags that may hold what looks like tags, whatever their delimiters are. */
function allTexts(docx: DocxPackage, texts: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map<string, string>();
  for (const part of docx.storyParts) {
    const xml = docx.readText(part);
    if (mayLookLikeTags(xml)) all.set(part, texts.get(part) ?? canonicalXml(part, xml));
  }
  for (const [part, xml] of texts) if (!all.has(part)) all.set(part, xml);
  return all;
}

/** The fields of a mail merge in the parts without tags, which are copied as they are. */
function unreadFields(
  docx: DocxPackage,
  texts: ReadonlyMap<string, string>,
  tree: Pick<TreeContext, "delimiters" | "dialect" | "headingStyles">,
): Diagnostic[] {
  return docx.storyParts.flatMap((part) => {
    const xml = docx.readText(part);
    if (texts.has(part) || !mayHoldMergeFields(xml)) return [];
    const lexed = lexPart(canonicalXml(part, xml), tree.delimiters);
    const { warnings } = buildTree(part, lexed, { ...tree, linkTargets: new Map() });
    return warnings.filter(({ code }) => code === "merge_field");
  });
}

/** A quick look: whether the first character of a tag stands in a text, or a tag in an attribute or a link. */
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

/** Whether one of some characters is spelled as a reference, such as `&#123;`. */
function hasReferenceTo(xml: string, characters: string): boolean {
  for (const [, code = ""] of xml.matchAll(/&#(x[\da-f]+|\d+);/gi)) {
    const number = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code);
    if (number <= 0x10ffff && characters.includes(String.fromCodePoint(number))) return true;
  }
  return false;
}

/** Whether a character stands outside of the tags of XML. */
function hasInText(xml: string, character: string): boolean {
  let from = 0;
  let found = -1;
  for (let open = xml.indexOf("<"); open !== -1; open = xml.indexOf("<", from)) {
    if (found < from) found = xml.indexOf(character, from);
    if (found === -1) return false;
    if (found < open) return true;
    from = xml.indexOf(">", open) + 1;
    if (from === 0) return true;
  }
  return xml.includes(character, from);
}

/** Throws `limit_exceeded` for more tags than can be worked with: each stray delimiter counts as one. */
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

/** The same for the document's properties that hold a brace: others need not even be well-formed. */
function readProperties(docx: DocxPackage, allowance: Allowance): Map<string, string> {
  const texts = new Map<string, string>();
  for (const kind of PROPERTY_KINDS) {
    const part = docx.partByKind(kind);
    const xml = part === null ? "" : docx.readText(part);
    if (part !== null && xml.includes("{")) texts.set(part, canonicalXml(part, xml, allowance));
  }
  return texts;
}

/** All that may hold a tag: text that was not deleted, and attributes. */
function wordsOf(xml: string): string {
  const text = withoutOwnComments(xml)
    .replace(/(?<!<w:t(?: [^>]*)?)>\s+</g, "><")
    .replace(/<\/?w:p(?=[ >])/g, "\n$&")
    .replace(/<w:(?:del|moved)Text[^>]*>[^<]*/g, "")
    .replace(/<[^>]*>/g, "");
  const attributes =
    xml.match(
      / (?:descr|title|alt|w:tooltip|w:instr)="[^"]*"|<w:tbl(?:Caption|Description) [^>]*/g,
    ) ?? [];
  return text + attributes.join("\n");
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

function linkTargets(docx: DocxPackage, part: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { id, kind, target, external } of docx.relationshipsOf(part)) {
    if (external && kind === "hyperlink") targets.set(id, target);
  }
  return targets;
}

/** More problems of one template than these are not told one by one. */
const MAX_PROBLEMS = 10_000;

function invalidTemplate(all: readonly Diagnostic[]): QuireError {
  const problems = all.slice(0, MAX_PROBLEMS);
  if (all.length > MAX_PROBLEMS) {
    const message = `… and ${all.length - MAX_PROBLEMS} more: only the first ${MAX_PROBLEMS} problems are told.`;
    problems.push({ severity: "error", code: "more_problems", message });
  }
  return new QuireError(
    "invalid_template",
    listed("The template has errors in its tags", problems),
    {
      diagnostics: problems,
    },
  );
}
