import type { DocxPackage } from "../package/open.ts";
import { canonicalXml } from "../package/xml.ts";
import { emptyPart, withLists, withStyles } from "../template/definition-parts.ts";
import { attributesOf, descendants, type ElementNode } from "../template/nodes.ts";

/** The definitions of an included template, by their ids: XML of whole elements. */
interface Source {
  readonly styles: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, string>;
  readonly listDefinitions: ReadonlyMap<string, string>;
  /** The lists that styles bring: they go on from one inclusion to the next. */
  readonly listsOfStyles: ReadonlySet<string>;
  /** What has become of its list definitions in this inclusion. */
  readonly adopted: Map<string, string>;
  /** Those that came in with any inclusion. */
  readonly everAdopted: Set<string>;
}

/**
 * The styles and lists of the including template, with those that included content brings along. A
 * style that both have looks as in the including template.
 */
export class Definitions {
  readonly #styles: string | null;
  readonly #numbering: string | null;
  readonly #styleIds: Set<string>;
  readonly #sources = new Map<DocxPackage, Source>();
  readonly #numIds = new Map<DocxPackage, Map<string, string>>();
  #nextNumId: number;
  #nextDefinition: number;
  #styleXml = "";
  #listXml = "";
  #definitionXml = "";

  constructor(styles: string | null, numbering: string | null) {
    this.#styles = styles;
    this.#numbering = numbering;
    this.#styleIds = new Set(byId(styles, STYLE, "w:styleId").keys());
    const numIds = [...byId(numbering, LIST, "w:numId").keys()].map(Number);
    const definitions = [...byId(numbering, DEFINITION, "w:abstractNumId").keys()].map(Number);
    this.#nextNumId = 1 + Math.max(0, ...numIds.filter(Number.isFinite));
    this.#nextDefinition = 1 + Math.max(-1, ...definitions.filter(Number.isFinite));
  }

  /** The styles part with what was added; null when nothing was. */
  get styles(): string | null {
    return this.#styleXml === ""
      ? null
      : withStyles(this.#styles ?? emptyPart("w:styles"), this.#styleXml);
  }

  /** The numbering part likewise. */
  get numbering(): string | null {
    if (this.#listXml === "") return null;
    return withLists(this.#numbering, { definitions: this.#definitionXml, lists: this.#listXml });
  }

  /** Brings in the styles that content names, and those that they are based on. */
  adoptStyles(content: ElementNode, docx: DocxPackage): void {
    for (const node of descendants(content)) {
      if (node.kind !== "element" || !/^w:(?:p|r|tbl)Style$/.test(node.name)) continue;
      this.#adoptStyle(attributesOf(node.attributes)["w:val"] ?? "", docx);
    }
  }

  #adoptStyle(first: string, docx: DocxPackage): void {
    const { styles } = this.#sourceOf(docx);
    const open = [first];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const xml = styles.get(id);
      if (xml === undefined || this.#styleIds.has(id)) continue;
      this.#styleIds.add(id);
      this.#styleXml += xml
        .replace(/^(<w:style[^>]*?) w:default="[^"]*"/, "$1")
        .replace(
          /<w:numId w:val="([^"]*)"\/>/g,
          (_, numId: string) => `<w:numId w:val="${this.#listOf(numId, docx)}"/>`,
        );
      for (const [, next = ""] of xml.matchAll(/<w:(?:basedOn|link|next) w:val="([^"]*)"/g))
        open.push(next);
    }
  }

  /** Content of a template comes in, maybe once more: its lists are others than those of the time before. */
  beginInclusion(docx: DocxPackage): void {
    const { lists, listsOfStyles, adopted } = this.#sourceOf(docx);
    const known = this.#numIds.get(docx) ?? new Map<string, string>();
    for (const numId of known.keys()) if (!listsOfStyles.has(numId)) known.delete(numId);
    const kept = [...listsOfStyles].map((numId) => definitionIdOf(lists.get(numId)));
    for (const id of adopted.keys()) if (!kept.includes(id)) adopted.delete(id);
  }

  /** Gives a numbered paragraph the list of the including template that is like its own. */
  adoptList(numId: ElementNode, docx: DocxPackage): void {
    numId.attributes = numId.attributes.replace(
      / w:val="([^"]*)"/,
      (_, id: string) => ` w:val="${this.#listOf(id, docx)}"`,
    );
  }

  #listOf(numId: string, docx: DocxPackage): string {
    const known = this.#numIds.get(docx) ?? new Map<string, string>();
    this.#numIds.set(docx, known);
    const before = known.get(numId);
    if (before !== undefined || numId === "0") return before ?? numId;
    const list = this.#sourceOf(docx).lists.get(numId) ?? "";
    const original = definitionIdOf(list);
    const definition = this.#definitionOf(original, docx);
    if (definition === null) return "0";
    const adopted = String(this.#nextNumId++);
    known.set(numId, adopted);
    this.#listXml += list
      .replace(/ w:numId="[^"]*"/, ` w:numId="${adopted}"`)
      .replace(/<w:abstractNumId w:val="[^"]*"/, `<w:abstractNumId w:val="${definition}"`);
    return adopted;
  }

  /** The definition like one of an included template, which its lists share, as they count together. */
  #definitionOf(original: string, docx: DocxPackage): string | null {
    const { listDefinitions, adopted, everAdopted } = this.#sourceOf(docx);
    const known = adopted.get(original);
    if (known !== undefined) return known;
    const definition = listDefinitions.get(original);
    if (definition === undefined) return null;
    const id = String(this.#nextDefinition++);
    adopted.set(original, id);
    const first = !everAdopted.has(original);
    everAdopted.add(original);
    this.#definitionXml += definition
      .replace(/ w:abstractNumId="[^"]*"/, ` w:abstractNumId="${id}"`)
      // Word takes two definitions with one nsid for the same list.
      .replace(/<w:nsid [^>]*\/>/, "")
      // A style belongs to one definition only.
      .replace(/<w:(?:pStyle|styleLink) [^>]*\/>/g, (named) => (first ? named : ""));
    return id;
  }

  #sourceOf(docx: DocxPackage): Source {
    const known = this.#sources.get(docx);
    if (known !== undefined) return known;
    const numbering = partXml(docx, "numbering");
    const styles = byId(partXml(docx, "styles"), STYLE, "w:styleId");
    const ofStyles = [...styles.values()].flatMap((xml) => [
      ...xml.matchAll(/<w:numId w:val="([^"]*)"/g),
    ]);
    const source: Source = {
      styles,
      lists: byId(numbering, LIST, "w:numId"),
      listDefinitions: withLinked(byId(numbering, DEFINITION, "w:abstractNumId")),
      listsOfStyles: new Set(ofStyles.map(([, numId = ""]) => numId)),
      adopted: new Map(),
      everAdopted: new Set(),
    };
    this.#sources.set(docx, source);
    return source;
  }
}

/** Definitions that take their levels from a list style have those of the style's own definition. */
function withLinked(definitions: ReadonlyMap<string, string>): Map<string, string> {
  const ofStyle = new Map<string, string>();
  for (const xml of definitions.values()) {
    const style = /<w:styleLink w:val="([^"]*)"/.exec(xml)?.[1];
    if (style !== undefined) ofStyle.set(style, xml.replace(/<w:styleLink [^>]*\/>/, ""));
  }
  const linked = new Map(definitions);
  for (const [id, xml] of definitions) {
    const style = /<w:numStyleLink w:val="([^"]*)"/.exec(xml)?.[1];
    if (style !== undefined) linked.set(id, ofStyle.get(style) ?? xml);
  }
  return linked;
}

function definitionIdOf(list = ""): string {
  return /<w:abstractNumId w:val="([^"]*)"/.exec(list)?.[1] ?? "";
}

const STYLE = /<w:style((?: [^>]*)?)(?<!\/)>.*?<\/w:style>/gs;
const LIST = /<w:num((?: [^>]*)?)(?<!\/)>.*?<\/w:num>/gs;
const DEFINITION = /<w:abstractNum((?: [^>]*)?)(?<!\/)>.*?<\/w:abstractNum>/gs;

function byId(xml: string | null, pattern: RegExp, attribute: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [whole, attributes = ""] of (xml ?? "").matchAll(pattern)) {
    const id = attributesOf(attributes)[attribute];
    if (id !== undefined) found.set(id, whole);
  }
  return found;
}

function partXml(docx: DocxPackage, kind: string): string | null {
  const part = docx.partByKind(kind);
  return part === null ? null : canonicalXml(part, docx.readText(part));
}
