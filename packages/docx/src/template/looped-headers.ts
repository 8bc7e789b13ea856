import type { Diagnostic } from "@quire/contracts";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import { withTags } from "../language/delimiters/wording.ts";
import { type BreakSection, breakSections } from "./break-sections.ts";
import type { Figure } from "./figures.ts";
import { type HeaderUses, usesOf } from "./header-uses.ts";
import { tagProblem } from "./nodes/diagnostics.ts";
import type { ElementNode, TagNode } from "./nodes/nodes.ts";
import type { PartTree } from "./tree.ts";

/** What a header or footer uses of a loop. `by`: the first tag that uses it. */
export interface HeaderNeed<By> {
  /** The name of the item; null for the item or the position in the innermost loop. */
  readonly alias: string | null;
  readonly by: By;
}

/** A header or footer that a section shows. */
export interface ShownHeader<By> {
  /** The part; null if the file does not have it, or if it is another kind of part. */
  readonly part: string | null;
  /** The relationship of the main part to it. */
  readonly id: string;
  /** Its uses of loops. Null if all sections show the same header. */
  readonly needs: readonly HeaderNeed<By>[] | null;
}

/** The headers, or the footers, of one type in a section. */
export interface HeaderReference<By> {
  readonly element: HeaderElement;
  /** `default`, `first` or `even`. */
  readonly type: string;
  /** Null if the section shows none. */
  readonly shown: ShownHeader<By> | null;
  /** Whether the section names it. If not, it shows the one of the section before. */
  readonly isExplicit: boolean;
}

export type HeaderElement = "w:headerReference" | "w:footerReference";

/** The headers and footers of a section, of the types of which any uses the items of a loop. */
export interface SectionHeaders<By> {
  /** The loops whose items the section may show, outermost first. */
  readonly loops: readonly { readonly number: number; readonly alias: string | null }[];
  /** Whether nothing comes before its break in the innermost loop, so that its content is from the iteration before. */
  readonly isLeading: boolean;
  /** Whether the paragraph of its break has content. */
  readonly hasText: boolean;
  readonly references: readonly HeaderReference<By>[];
}

/** Where the compiler writes headers and footers that use the items of loops. */
export interface PlacedHeaders {
  /** For each of these headers and footers: the first element that refers to it. */
  readonly parts: ReadonlyMap<string, HeaderElement>;
  /** The headers of the sections, by the elements that stand for them in the tree. */
  readonly sections: ReadonlyMap<ElementNode, SectionHeaders<TagNode>>;
  /** The paragraphs with section breaks. */
  readonly breaks: ReadonlySet<ElementNode>;
}

/** A section with the headers that it shows, its own or inherited ones, by their element and type. */
interface Showing {
  readonly section: BreakSection;
  readonly shown: ReadonlyMap<string, ShownPart>;
}

interface ShownPart {
  readonly part: string | null;
  readonly id: string;
}

/**
 * Finds the headers and footers that use the items of loops around section breaks. Call its methods after the blocks of
 * the main part have been moved to their final positions.
 */
export class LoopedHeaders {
  readonly #docx: DocxPackage;
  readonly #trees: readonly PartTree[];
  readonly #figures: readonly Figure[];
  readonly #broken = new Set<string>();
  #showing: readonly Showing[] | null = null;
  #loops: ReadonlyMap<string, readonly TagNode[]> | null = null;
  #needs: ReadonlyMap<string, readonly HeaderNeed<TagNode>[]> | null = null;

  /** `trees`: grows while parts are read. */
  constructor(docx: DocxPackage, trees: readonly PartTree[], figures: readonly Figure[]) {
    this.#docx = docx;
    this.#trees = trees;
    this.#figures = figures;
  }

  /** Records that a story has problems, so that its blocks may not have been moved. */
  broken(story: string): void {
    this.#broken.add(story);
  }

  /** Returns the loops whose items a header or footer may use; null if the main part has problems. */
  around(part: string): readonly TagNode[] | null {
    const { mainPart } = this.#docx;
    if (part === mainPart) return [];
    if (this.#broken.has(mainPart)) return isHeader(part, this.#docx) ? null : [];
    return this.#around().get(part) ?? [];
  }

  /** Like {@link around}, but returns nothing for a header that uses no item. All parts must have been read. */
  loopsOf(part: string): readonly TagNode[] {
    return this.#looped().has(part) ? (this.around(part) ?? []) : [];
  }

  /** Returns the tags of headers that use items, by the tag that opens the innermost loop. */
  tagsInLoops(): ReadonlyMap<TagNode, readonly TagNode[]> {
    const found = new Map<TagNode, readonly TagNode[]>();
    for (const { part, tags } of this.#trees) {
      const loop = this.loopsOf(part).at(-1);
      if (loop !== undefined) found.set(loop, [...(found.get(loop) ?? []), ...tags]);
    }
    return found;
  }

  /** Returns a problem for each tag that uses an item in a section without content of the item's loop. */
  problems(): Diagnostic[] {
    const found = new Map<string, Diagnostic[]>();
    for (const { section, shown } of this.#sections()) {
      const names = namesOf(section.loops);
      for (const { part } of shown.values()) {
        if (part === null || found.has(part)) continue;
        const unknown = (this.#looped().get(part) ?? []).filter(({ alias }) =>
          alias === null ? names.length === 0 : !names.includes(alias),
        );
        const problems = unknown.map(({ by }) => problemOf(by));
        if (problems.length > 0) found.set(part, problems);
      }
    }
    return [...found.values()].flat();
  }

  /** Numbers the loops and replaces the references of the sections. Changes the tree of the main part. */
  place(): PlacedHeaders {
    const looped = this.#looped();
    const parts = new Map<string, HeaderElement>();
    const keys = new Set<string>();
    for (const { shown } of this.#sections()) {
      for (const [key, { part }] of shown) {
        if (part === null || !looped.has(part)) continue;
        keys.add(key);
        if (!parts.has(part)) parts.set(part, readKey(key).element);
      }
    }
    if (keys.size === 0) return { parts, sections: new Map(), breaks: new Set() };
    const loops = [...new Set(this.#sections().flatMap(({ section }) => section.loops))];
    for (const [number, loop] of loops.entries()) loop.paged = number;
    const sections = new Map<ElementNode, SectionHeaders<TagNode>>();
    for (const { section, shown } of this.#sections()) {
      const { isLeading, hasText } = section;
      const references = [...keys].map((key) => this.#reference(key, section, shown));
      const headers = { loops: section.loops.map(numbered), isLeading, hasText, references };
      sections.set(section.replace(keys), headers);
    }
    const breaks = this.#sections().flatMap(({ section }) => section.paragraph ?? []);
    return { parts, sections, breaks: new Set(breaks) };
  }

  #reference(
    key: string,
    { own }: BreakSection,
    shown: ReadonlyMap<string, ShownPart>,
  ): HeaderReference<TagNode> {
    const found = shown.get(key);
    const needs = this.#looped().get(found?.part ?? "") ?? null;
    const isExplicit = own.has(key);
    return { ...readKey(key), shown: found === undefined ? null : { ...found, needs }, isExplicit };
  }

  /** Returns the loops whose items each header may use. */
  #around(): ReadonlyMap<string, readonly TagNode[]> {
    if (this.#loops !== null) return this.#loops;
    const found = new Map<string, Set<TagNode>>();
    for (const { section, shown } of this.#sections()) {
      for (const { part } of shown.values()) {
        if (part === null) continue;
        const loops = found.get(part) ?? new Set();
        found.set(part, loops);
        for (const loop of section.loops) loops.add(loop);
      }
    }
    this.#loops = new Map([...found].map(([part, loops]) => [part, [...loops]]));
    return this.#loops;
  }

  #sections(): readonly Showing[] {
    if (this.#showing !== null) return this.#showing;
    const { mainPart } = this.#docx;
    const tree = this.#trees.find(({ part }) => part === mainPart);
    if (tree === undefined || this.#broken.has(mainPart)) return [];
    const links = this.#docx.relationshipsOf(mainPart);
    // In a malformed file, the target may be any part.
    const headers = links.filter(({ part }) => part !== null && isHeader(part, this.#docx));
    const targets = new Map(headers.map(({ id, part }) => [id, part]));
    const known = new Map<string, ShownPart>();
    this.#showing = breakSections(tree.root).map((section) => {
      for (const [key, id] of section.own) known.set(key, { part: targets.get(id) ?? null, id });
      return { section, shown: new Map(known) };
    });
    return this.#showing;
  }

  /** Returns the headers and footers that use items, with their uses. */
  #looped(): ReadonlyMap<string, readonly HeaderNeed<TagNode>[]> {
    this.#needs ??= this.#find();
    return this.#needs;
  }

  #find(): ReadonlyMap<string, readonly HeaderNeed<TagNode>[]> {
    const found = new Map<string, readonly HeaderNeed<TagNode>[]>();
    for (const tree of this.#trees) {
      const { part } = tree;
      const loops = this.#around().get(part) ?? [];
      if (loops.length === 0 || this.#broken.has(part)) continue;
      const needs = needsOf(this.#usesIn(tree), loops);
      if (needs.length > 0) found.set(part, needs);
    }
    return found;
  }

  /** Returns what a header uses, also in its charts. */
  #usesIn(tree: PartTree): HeaderUses {
    const shown = new Set(
      this.#figures.flatMap(({ part, story }) => (story === tree.part ? [part] : [])),
    );
    return usesOf([tree, ...this.#trees.filter(({ part }) => shown.has(part))]);
  }
}

/** Whether a part is a header or a footer. */
export function isHeader(part: string, docx: DocxPackage): boolean {
  return /\.(?:header|footer)\+xml$/.test(docx.contentTypeOf(part) ?? "");
}

/** Returns what a header with these uses needs of the loops of its sections; nothing if it uses no item. */
function needsOf(
  { names, position, item }: HeaderUses,
  loops: readonly TagNode[],
): HeaderNeed<TagNode>[] {
  const known = new Set(namesOf(loops));
  const needs: HeaderNeed<TagNode>[] = [...names].flatMap(([alias, by]) =>
    known.has(alias) ? [{ alias, by }] : [],
  );
  // Outside of sections, `this` is also the data.
  const inSection = loops.some(({ directive }) => directive.kind === "section");
  const innermost = position ?? (inSection || needs.length > 0 ? item : null);
  return innermost === null ? needs : [...needs, { alias: null, by: innermost }];
}

function namesOf(loops: readonly TagNode[]): (string | null)[] {
  return loops.map(({ directive }) => ("alias" in directive ? directive.alias : null));
}

function numbered(loop: TagNode): SectionHeaders<TagNode>["loops"][number] {
  if (loop.paged === undefined) throw new Error("The loop has no number.");
  return { number: loop.paged, alias: namesOf([loop])[0] ?? null };
}

function readKey(key: string): { readonly element: HeaderElement; readonly type: string } {
  const [element, type = ""] = key.split(" ");
  return { element: element === "w:footerReference" ? element : "w:headerReference", type };
}

function problemOf(tag: TagNode): Diagnostic {
  return tagProblem(
    tag,
    "tag_outside_loop",
    `${tag.text} is in a header or footer that a section without content of the loop also shows.`,
    withTags`For a section before or after the loop, switch off Link to Previous in Word, and write another header. If the loop's section break is to be between the items only, put {{if not $last}} before it and {{endif}} after it.`,
  );
}
