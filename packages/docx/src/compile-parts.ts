import { type Diagnostic, listed, QuireError } from "@quire/contracts";
import { DEFAULT_LIMITS } from "@quire/ooxml/internal/limits/limits";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import { canonicalXml, fullAllowance, unbounded } from "@quire/ooxml/internal/xml/xml";
import type { References } from "./compile/references/references.ts";
import type { CompileOptions } from "./compile-options.ts";
import { compileTrees, type Programs, referencesOf } from "./compile-trees.ts";
import { gatherFacts, readDefinitions, readMarks, settledParts } from "./facts.ts";
import { Includes } from "./include/expand.ts";
import { Merger } from "./include/merge.ts";
import type { Delimiters } from "./language/delimiters/delimiters.ts";
import type { PartGraph } from "./program/part-graph.ts";
import { linkTargets, readTemplateTexts } from "./read-texts.ts";
import type { PackageFacts } from "./render/output.ts";
import { placeChartLists } from "./template/charts/chart-lists.ts";
import { checkTree } from "./template/check-tree.ts";
import { declareReferences } from "./template/fields/declare-references.ts";
import { LoopedFigures } from "./template/looped-figures.ts";
import { LoopedHeaders } from "./template/looped-headers.ts";
import { mayHoldMergeFields } from "./template/mistakes/foreign/merge-fields.ts";
import { formsOf, inOrder } from "./template/mistakes/ordered-problems.ts";
import { warningsOf } from "./template/mistakes/warnings.ts";
import type { TagNode } from "./template/nodes/nodes.ts";
import { readStyles } from "./template/styles.ts";
import { lexPart } from "./template/tags/lexer.ts";
import { buildTree, type PartTree, type TreeContext } from "./template/tree.ts";
import { unreadTags } from "./unread/unread-tags.ts";

/** The programs of a template, with its tags and warnings. */
export interface CompiledParts extends Programs {
  readonly facts: PackageFacts;
  /** The parts that a document may lack. */
  readonly omittable: ReadonlySet<string>;
  readonly delimiters: Delimiters;
  /** All tags of all parts, in document order. */
  readonly tags: readonly TagNode[];
  /** The tag of the first loop for each name of an item. */
  readonly loops: ReadonlyMap<string, string>;
  /**
   * Whether the template includes other templates. If so, elements may be nested deeper than in any of the checked
   * files.
   */
  readonly includes: boolean;
  /** Parts that differ from the template but are the same in every document, by name. */
  readonly settled: ReadonlyMap<string, string | Uint8Array>;
  /**
   * Warnings, for example about content that was removed from included templates, and about text that looks like a tag
   * but is not one.
   */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Compiles all parts of a package. Throws `invalid_template` with all problems of all parts. A part without tags has no
 * program and is copied unchanged.
 */
export async function compileParts(
  docx: DocxPackage,
  options: CompileOptions,
): Promise<CompiledParts> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const allowance = fullAllowance(limits.taggedElements);
  const { texts, figures, read, delimiters, bareNames, untagged } = readTemplateTexts(
    docx,
    options,
    {
      allowance,
      limits,
    },
  );
  const definitions = readDefinitions(docx);
  const merger = new Merger(docx, definitions, readMarks(docx, texts));
  const { headings, numberingOf } = readStyles("styles", definitions.styles);
  const tree = { delimiters, dialect: { bareNames }, headingStyles: headings };
  const readTemplate = options.readTemplate ?? null;
  const main = { part: docx.mainPart, xml: texts.get(docx.mainPart) };
  const includes = new Includes({ readTemplate, tree, merger, docx, main, limits, allowance });
  const problems: Diagnostic[] = [];
  const trees: PartTree[] = [];
  const tags: TagNode[] = [];
  // Figures come after the stories that show them.
  const headers = new LoopedHeaders(docx, trees, figures);
  const looped = new LoopedFigures(docx, trees, figures, headers);
  for (const [part, xml] of texts) {
    const lexed = lexPart(xml, delimiters);
    const own = buildTree(part, lexed, { ...tree, linkTargets: linkTargets(docx, part) });
    const expanded = await includes.expand(own);
    const { tree: whole, problems: ofLists } = placeChartLists(expanded);
    declareReferences(whole.root);
    const forms = formsOf(own.tags);
    const found = ofLists.length === 0 ? checkTree(whole, looped.around(part)) : ofLists;
    for (const problem of inOrder(part, found, forms, delimiters)) problems.push(problem);
    if (found.length > 0) for (const each of [headers, looped]) each.broken(part);
    trees.push(whole);
    for (const tag of expanded.tags) tags.push(tag);
  }
  for (const problem of [...headers.problems(), ...looped.problems()]) problems.push(problem);
  if (problems.length > 0) throw invalidTemplate(problems);
  merger.settle();
  const references = referencesOf(trees, docx, delimiters);
  // Warnings are determined first, because compiling changes the trees.
  const isList = (style: string): boolean => numberingOf(style) !== null;
  const warnings = warningsOf(
    trees.map((each) => settledTree(each, references)),
    unreadFields(docx, texts, tree),
    isList,
    looped.tagsInLoops(),
  );
  const charts = looped.charts();
  const placed = headers.place();
  const { facts, context } = gatherFacts(docx, texts, definitions, merger, trees, charts, placed);
  const unread = unreadTags(docx, includes.documents, { delimiters, texts, tags, read, limits });
  const programs = compileTrees(trees, docx, { ...context, references });
  return {
    facts,
    delimiters,
    ...programs,
    omittable: omittableParts(programs, facts.graph),
    tags: tags.filter((tag) => !references.dropped.has(tag)),
    loops: loopsOf(tags),
    includes: includes.found,
    settled: settledParts(docx, facts, merger),
    warnings: [...untagged, ...includes.warnings, ...warnings, ...unread],
  };
}

function loopsOf(tags: readonly TagNode[]): Map<string, string> {
  const loops = new Map<string, string>();
  for (const { directive, text } of tags) {
    if ("alias" in directive && !loops.has(directive.alias)) loops.set(directive.alias, text);
  }
  return loops;
}

/** Returns the parts that a document may lack, because only content that depends on the data refers to them. */
function omittableParts({ programs, notes }: Programs, graph: PartGraph): ReadonlySet<string> {
  const all = [...programs, ...notes].map(({ part, optional }) => [part, optional] as const);
  return graph.unreachable(new Map(all));
}

/** Returns a tree with the tags and warnings that are left after its references have been resolved. */
function settledTree(tree: PartTree, { warnings, dropped }: References): PartTree {
  return {
    ...tree,
    tags: tree.tags.filter((tag) => !dropped.has(tag)),
    warnings: [...tree.warnings, ...(warnings.get(tree) ?? [])],
  };
}

/** Returns warnings about mail-merge fields in parts without tags, which are copied unchanged. */
function unreadFields(
  docx: DocxPackage,
  texts: ReadonlyMap<string, string>,
  tree: Pick<TreeContext, "delimiters" | "dialect" | "headingStyles">,
): Diagnostic[] {
  return docx.storyParts.flatMap((part) => {
    const xml = docx.readText(part);
    if (texts.has(part) || !mayHoldMergeFields(xml)) return [];
    const lexed = lexPart(canonicalXml(part, xml, unbounded()), tree.delimiters);
    const { warnings } = buildTree(part, lexed, { ...tree, linkTargets: new Map() });
    return warnings.filter(({ code }) => code === "merge_field");
  });
}

/** Maximum number of problems listed for a template. */
const MAX_PROBLEMS = 10_000;

function invalidTemplate(all: readonly Diagnostic[]): QuireError {
  const problems = all.slice(0, MAX_PROBLEMS);
  if (all.length > MAX_PROBLEMS) {
    const message = `… and ${all.length - MAX_PROBLEMS} more: only the first ${MAX_PROBLEMS} problems are listed.`;
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
