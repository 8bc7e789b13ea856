import type { DocxPackage } from "@quire/ooxml/internal/open";
import {
  emptyPart,
  rootAttributes,
  withLists,
  withRootAttributes,
  withStyles,
} from "../template/definition-parts.ts";
import { descendants, type ElementNode } from "../template/nodes/nodes.ts";
import { AdoptedLists, type Inclusion } from "./adopted-lists.ts";
import { AdoptedStyles } from "./adopted-styles.ts";
import { Declarations } from "./declarations.ts";
import { numberingOf, setNumbering } from "./numbered-paragraph.ts";
import { readSource, type Source, sourceOf } from "./source.ts";

/** The canonical XML of the parts that define styles and lists. Null means that the part is missing. */
export interface DefinitionParts {
  readonly styles: string | null;
  readonly numbering: string | null;
}

/** State that is created at the first inclusion. */
interface Adoption {
  readonly stylesRoot: Declarations;
  readonly numberingRoot: Declarations;
  readonly styles: AdoptedStyles;
  readonly lists: AdoptedLists;
}

/**
 * The styles and lists of the including template and of included content. A shared style looks as it does in the
 * including template. In each inclusion, a list starts as it does in its own file, except that numbered headings
 * continue.
 */
export class Definitions {
  readonly #own: DefinitionParts;
  readonly #isStrict: () => boolean;
  readonly #sources = new Map<DocxPackage, Source>();
  readonly #packages = new Map<Source, DocxPackage>();
  #adoption: Adoption | null = null;

  /** `isStrict`: whether the including template uses the strict form of the standard. */
  constructor(own: DefinitionParts, isStrict: () => boolean) {
    this.#own = own;
    this.#isStrict = isStrict;
  }

  /** The styles part with the added styles; null if no styles were added. */
  get styles(): string | null {
    if (this.#adoption === null || this.#adoption.styles.xml === "") return null;
    const { styles, stylesRoot } = this.#adoption;
    const whole = withRootAttributes(this.#part("w:styles"), "w:styles", stylesRoot.root);
    return withStyles(whole, styles.xml);
  }

  /** The numbering part with the added lists; null if no lists were added. */
  get numbering(): string | null {
    if (this.#adoption === null || this.#adoption.lists.xml.lists === "") return null;
    const { lists, numberingRoot } = this.#adoption;
    const whole = withRootAttributes(this.#part("w:numbering"), "w:numbering", numberingRoot.root);
    return withLists(whole, lists.xml);
  }

  /** The lists that restart in each inclusion, by number, with the part that each came from. */
  get listParts(): ReadonlyMap<number, string> {
    return this.#adoption?.lists.parts ?? new Map();
  }

  /**
   * Adds the styles and lists of included content and changes their ids in it. `part`: the name of the included part;
   * `reference` changes the references in the XML of a picture bullet. Returns the names of heading styles whose
   * numbers are lost because the including template does not number them.
   */
  adopt(
    content: ElementNode,
    docx: DocxPackage,
    part: string,
    reference: (xml: string, docx: DocxPackage) => string,
  ): string[] {
    const { styles, lists } = this.#begin(reference);
    const source = this.#sourceOf(docx);
    const inclusion = {
      source,
      part,
      lists: new Map(),
      equal: new Map(),
      definitions: new Map(),
    };
    const lost = new Set<string>();
    for (const node of [...descendants(content)]) {
      if (node.kind !== "element") continue;
      if (node.name === "w:p") {
        const style = this.#numberParagraph(node, inclusion, { styles, lists });
        if (style !== null) lost.add(style);
      } else if (node.name === "w:numId") {
        setValue(node, (id) => (id === "0" ? id : lists.ofParagraph(id, inclusion)));
      } else if (STYLE_NAMES.has(node.name)) {
        setValue(node, (id) => styles.adopt(id, source));
      }
    }
    styles.settle();
    return [...lost];
  }

  /** Gives a paragraph with a numbered style its own list. Returns the name of the style if its number is lost. */
  #numberParagraph(
    paragraph: ElementNode,
    inclusion: Inclusion,
    { styles, lists }: Pick<Adoption, "styles" | "lists">,
  ): string | null {
    const { source } = inclusion;
    const numbering = numberingOf(paragraph, source);
    if (numbering === null) return null;
    const { style, level } = numbering;
    const numId = String(numbering.numId);
    const isNumbered = styles.isNumbered(style, source);
    if (isNumbered && lists.continues(numId, source)) return null;
    if (lists.ofHeadings(numId, source)) return source.nameOf(style);
    const adopted = lists.ofParagraph(numId, inclusion);
    setNumbering(paragraph, adopted, level, styles.indentsOf(style, source));
    return null;
  }

  #begin(reference: (xml: string, docx: DocxPackage) => string): Adoption {
    if (this.#adoption !== null) return this.#adoption;
    const host = readSource(this.#own.styles, this.#own.numbering);
    const stylesRoot = new Declarations(rootAttributes(this.#part("w:styles"), "w:styles"));
    const numberingRoot = new Declarations(
      rootAttributes(this.#part("w:numbering"), "w:numbering"),
    );
    const styles: AdoptedStyles = new AdoptedStyles(host, stylesRoot, (numId, source) =>
      lists.ofStyle(numId, source),
    );
    const lists = new AdoptedLists(host, numberingRoot, styles, (xml, source) => {
      const docx = this.#packages.get(source);
      return docx === undefined ? xml : reference(xml, docx);
    });
    this.#adoption = { stylesRoot, numberingRoot, styles, lists };
    return this.#adoption;
  }

  /** Returns the XML of a part of the including template; an empty root element if the part is missing. */
  #part(root: "w:styles" | "w:numbering"): string {
    const own = root === "w:styles" ? this.#own.styles : this.#own.numbering;
    return own ?? emptyPart(root, this.#isStrict());
  }

  #sourceOf(docx: DocxPackage): Source {
    const source = this.#sources.get(docx) ?? sourceOf(docx);
    this.#sources.set(docx, source);
    this.#packages.set(source, docx);
    return source;
  }
}

const STYLE_NAMES: ReadonlySet<string> = new Set(["w:pStyle", "w:rStyle", "w:tblStyle"]);

function setValue(element: ElementNode, value: (before: string) => string): void {
  element.attributes = element.attributes.replace(
    / w:val="([^"]*)"/,
    (_, before: string) => ` w:val="${value(before)}"`,
  );
}
