import { type Diagnostic, isQuireError } from "@quire/contracts";
import type { PackageLimits } from "@quire/ooxml/internal/limits/limits";
import { tooMany } from "@quire/ooxml/internal/limits/refusal";
import { type DocxPackage, openPackage } from "@quire/ooxml/internal/open";
import { type Allowance, canonicalXml } from "@quire/ooxml/internal/xml/xml";
import { pairBlocks } from "../template/blocks/pair-blocks.ts";
import { tagProblem } from "../template/nodes/diagnostics.ts";
import {
  ancestors,
  childNamed,
  type ElementNode,
  indexInParent,
  insertAt,
  type TagNode,
} from "../template/nodes/nodes.ts";
import { lexPart } from "../template/tags/lexer.ts";
import { buildTree, type PartTree, type TreeContext } from "../template/tree.ts";
import { choicesOf, ownParagraph } from "./choices.ts";
import { Declarations, prefixesIn, scopeOf } from "./declarations.ts";
import { inDialect } from "./dialect.ts";
import { leftOutOf, Receiver } from "./left-out.ts";
import { leftOutPages, sectionAround } from "./left-out-pages.ts";
import type { Merger } from "./merge.ts";

/** Maximum nesting depth of templates. It also ends cycles in which every inclusion has another name. */
const MAX_DEPTH = 8;

/** Maximum number of inclusions, because the content is read again for each one. No author needs this many. */
const MAX_INCLUSIONS = 1_000;

/** What a template needs in order to include other templates. */
export interface IncludeContext {
  /** Reads a template by its name; null if the caller did not pass such a function. */
  readonly readTemplate: ((name: string) => Promise<Uint8Array>) | null;
  readonly tree: Pick<TreeContext, "delimiters" | "dialect" | "headingStyles">;
  readonly merger: Merger;
  /** The including template. */
  readonly docx: DocxPackage;
  /** The part with the body, and its canonical XML. */
  readonly main: { readonly part: string; readonly xml: string | undefined };
  /** The limits for each included template. */
  readonly limits: PackageLimits;
  /** The number of elements that all templates together may still have. */
  readonly allowance: Allowance;
}

/** An included template. It is opened only once, even if it is included several times. */
type Opened = { readonly docx: DocxPackage } | { readonly problem: string };

/** Where the content of a tree is included. */
interface Around {
  /** The part of the including template that receives the content. */
  readonly part: string;
  /** The included templates around the tree, outermost first. */
  readonly names: readonly string[];
  /** The receiving section of the including template; null at the top level and in a part without sections. */
  readonly section: ElementNode | null;
}

/** Replaces each paragraph that has an `include` tag with the content of the template that the tag names. */
export class Includes {
  readonly #context: IncludeContext;
  readonly #receiver: Receiver;
  /** Whether any template has been included. */
  found = false;
  /** Warnings about content of the included templates that was removed or left out. */
  readonly warnings: Diagnostic[] = [];
  /** The included templates, by the names in the tags. */
  readonly documents = new Map<string, DocxPackage>();
  readonly #opened = new Map<string, Promise<Opened>>();
  readonly #leftOut = new Map<DocxPackage, readonly string[]>();
  readonly #reported = new Set<string>();
  #count = 0;

  constructor(context: IncludeContext) {
    this.#context = context;
    this.#receiver = new Receiver(context.docx, context.main.xml ?? "");
  }

  /**
   * Expands all includes of a tree, as if the included content had been written there. The tags of this content use the
   * same data. Mistakes are added to the problems of the tree.
   */
  async expand(
    tree: PartTree,
    around: Around = { part: tree.part, names: [], section: null },
  ): Promise<PartTree> {
    if (!tree.tags.some(({ directive }) => directive.kind === "include")) return tree;
    const tags: TagNode[] = [];
    const problems = [...tree.problems];
    const warnings = [...tree.warnings];
    for (const tag of tree.tags) {
      if (tag.directive.kind !== "include") {
        tags.push(tag);
        continue;
      }
      for (const each of choicesOf(tag)) {
        if (each.directive.kind !== "include") {
          tags.push(each);
          continue;
        }
        const included = await this.#include(each, each.directive.names[0], around);
        problems.push(...included.problems);
        warnings.push(...included.warnings);
        for (const inner of included.tags) tags.push(inner);
      }
    }
    return { ...tree, tags, problems, warnings, changed: true };
  }

  async #include(
    tag: TagNode,
    name: string,
    { part, names, section: outer }: Around,
  ): Promise<Pick<PartTree, "tags" | "problems" | "warnings">> {
    const refuse = (code: string, message: string, hint?: string) => ({
      tags: [],
      problems: [tagProblem(tag, code, message, hint)],
      warnings: [],
    });
    const paragraph = ownParagraph(tag);
    if (paragraph === null) {
      return refuse(
        "include_not_alone",
        `${tag.text} is not alone in its paragraph.`,
        "Put it into a separate paragraph of the body text: whole paragraphs replace it.",
      );
    }
    if (names.includes(name)) return refuse("include_too_deep", ...againMessage(tag, name));
    if (names.length >= MAX_DEPTH) {
      return refuse(
        "include_too_deep",
        `${tag.text} is in a template that is included through ${names.length} others.`,
        `Includes can be nested at most ${MAX_DEPTH} deep: combine some of the templates.`,
      );
    }
    this.found = true;
    this.#count += 1;
    if (this.#count > MAX_INCLUSIONS) throw tooMany("included templates", MAX_INCLUSIONS);
    const opened = await this.#open(name);
    if ("problem" in opened) {
      return refuse(
        "include_failed",
        `The template that ${tag.text} names cannot be included: ${opened.problem}`,
        // Ids of files are numbers.
        /\.\w{3,4}$|^\d+$/.test(name)
          ? undefined
          : `If the name lacks its ending, write "${name}.docx".`,
      );
    }
    const { main } = this.#context;
    const { own, xml } = this.#read(opened.docx, name);
    // This is the same template under another name. Its mistakes have already been reported, and its expansion would
    // never end.
    if (part === main.part && xml === main.xml) {
      return refuse("include_too_deep", ...againMessage(tag, name));
    }
    const section = names.length > 0 ? outer : sectionAround(paragraph);
    const left = [...this.#leftOutOf(own.root, opened.docx), ...leftOutPages(own.root, section)];
    // The content is adapted before its own includes are expanded, because their content is adapted separately.
    const adopted = this.#adopt(own, opened.docx, part);
    if ("problem" in adopted) {
      return refuse(
        "include_unsupported",
        `The template included by ${tag.text} ${adopted.problem}.`,
      );
    }
    this.#warnOfLeftOut(tag, name, [...left, ...adopted.unnumbered.map(numbersOf)]);
    const tree = await this.expand(own, { part, names: [...names, name], section });
    const { problems } = pairBlocks(tree.tags);
    replaceWithBody(paragraph, tree.root);
    // An unclosed block of the included content could be paired with a tag of the surrounding content.
    return {
      tags: problems.length > 0 ? [] : tree.tags,
      problems: [...tree.problems, ...problems],
      warnings: tree.warnings,
    };
  }

  #open(name: string): Promise<Opened> {
    const known = this.#opened.get(name) ?? this.#openAnew(name);
    this.#opened.set(name, known);
    return known;
  }

  async #openAnew(name: string): Promise<Opened> {
    const { readTemplate, limits, merger } = this.#context;
    if (readTemplate === null) {
      return { problem: "there is no function that reads it (the option readTemplate)." };
    }
    try {
      const bytes = Uint8Array.from(await readTemplate(name));
      const docx = await openPackage(bytes, limits);
      this.warnings.push(...docx.warnings.map((warning) => ofTemplate(name, warning)));
      this.documents.set(name, docx);
      return { docx: inDialect(docx, merger.isStrict) };
    } catch (error) {
      // A retryable error is not a mistake of the template.
      if (isQuireError(error) && error.retryable) throw error;
      if (isQuireError(error)) return { problem: error.message };
      return { problem: "it cannot be read." };
    }
  }

  /** Returns the tree of an included template. In messages, the names of its parts begin with the template's name. */
  #read(docx: DocxPackage, name: string): { readonly own: PartTree; readonly xml: string } {
    const { tree, allowance } = this.#context;
    const { mainPart } = docx;
    const xml = canonicalXml(mainPart, docx.readText(mainPart), allowance);
    const lexed = lexPart(xml, tree.delimiters);
    const linkTargets = new Map<string, string>();
    for (const { id, kind, target, external } of docx.relationshipsOf(mainPart)) {
      if (external && kind === "hyperlink") linkTargets.set(id, target);
    }
    return { own: buildTree(`${name}:${mainPart}`, lexed, { ...tree, linkTargets }), xml };
  }

  /** Adapts the content to the including part. */
  #adopt(
    { root, part }: PartTree,
    docx: DocxPackage,
    hostPart: string,
  ): ReturnType<Merger["adopt"]> {
    const body = childNamed(root, "w:body");
    if (body === null) return { problem: "has no body" };
    return this.#context.merger.adopt(body, docx, part, hostPart);
  }

  /**
   * Names the content that is omitted from an included template. The result is cached for the next inclusion of the
   * template.
   */
  #leftOutOf(root: ElementNode, included: DocxPackage): readonly string[] {
    const left = this.#leftOut.get(included) ?? leftOutOf(root, included, this.#receiver);
    this.#leftOut.set(included, left);
    return left;
  }

  /** Reports the content that an include omits, once for each template. */
  #warnOfLeftOut(tag: TagNode, name: string, left: readonly string[]): void {
    const key = `${name}\n${left.join()}`;
    if (left.length === 0 || this.#reported.has(key)) return;
    this.#reported.add(key);
    const problem = tagProblem(
      tag,
      "include_left_out",
      `${tag.text} includes only the body of that file. Left out: ${left.join(", ")}.`,
      "Add what you need to the including template.",
    );
    this.warnings.push({ ...problem, severity: "warning" });
  }
}

function numbersOf(style: string): string {
  return `the numbers of the style "${style}", which the including template does not number`;
}

/** Returns a warning about an included template, with the template's name before the part. */
function ofTemplate(name: string, { template, ...warning }: Diagnostic): Diagnostic {
  const message = `In the included template ${JSON.stringify(name)}: ${warning.message}`;
  if (template === undefined) return { ...warning, message };
  return { ...warning, message, template: { ...template, part: `${name}:${template.part}` } };
}

function againMessage(tag: TagNode, name: string): [message: string, hint: string] {
  return [
    `${tag.text} includes the template '${name}' in itself, which would never end.`,
    "Remove the tag, or put the shared content into a separate template.",
  ];
}

/** Replaces a paragraph with the content of a body. */
function replaceWithBody(paragraph: ElementNode, root: ElementNode): void {
  const body = childNamed(root, "w:body");
  const { parent } = paragraph;
  const [hostRoot, ...between] = ancestors(paragraph);
  if (body === null || parent === null || hostRoot === undefined) {
    throw new Error("The paragraph or the body is missing.");
  }
  const content = [...body.children];
  const declarations = new Declarations(
    hostRoot.attributes,
    between.map(({ attributes }) => attributes),
  );
  const scope = scopeOf(root.attributes, body.attributes);
  for (const node of content) {
    if (node.kind !== "element") continue;
    node.attributes = declarations.bring(node.attributes, prefixesIn(node), scope);
  }
  hostRoot.attributes = declarations.root;
  const index = indexInParent(paragraph);
  parent.children.splice(index, 1);
  paragraph.parent = null;
  insertAt(parent, index, ...content);
}
