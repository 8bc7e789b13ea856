import { attributesOf } from "../template/nodes/nodes.ts";
import type { Indents } from "../template/nodes/paragraph-properties.ts";
import { type Declarations, prefixesInXml } from "./declarations.ts";
import type { Source } from "./source.ts";

/** Maximum number of styles that are based on each other. Without a limit, a cycle would never end. */
const MAX_CHAIN = 100;

/** A style and the template that defines it. */
interface StyleOf {
  readonly id: string;
  readonly source: Source;
  readonly xml: string;
}

/** Adds the styles of included templates to the including template, whose own styles do not change. */
export class AdoptedStyles {
  readonly #host: Source;
  readonly #declarations: Declarations;
  readonly #listOf: (numId: string, source: Source) => string;
  /** The ids of the including template's own styles, by style key. */
  readonly #hostIds: ReadonlyMap<string, string>;
  /** Like `#hostIds`, with the added styles. */
  readonly #ids: Map<string, string>;
  readonly #numbered = new Map<Source, Map<string, boolean>>();
  readonly #indents = new Map<Source, Map<string, Indents>>();
  readonly #taken: Set<string>;
  readonly #pending: (StyleOf & { readonly adopted: string })[] = [];
  #xml = "";

  /** `listOf` returns the number of an included list in the including template. */
  constructor(
    host: Source,
    declarations: Declarations,
    listOf: (numId: string, source: Source) => string,
  ) {
    this.#host = host;
    this.#declarations = declarations;
    this.#listOf = listOf;
    this.#hostIds = new Map([...host.styleKeys].map(([id, key]) => [key, id]));
    this.#ids = new Map(this.#hostIds);
    this.#taken = new Set(host.styles.keys());
  }

  /** The XML of all added styles. */
  get xml(): string {
    return this.#xml;
  }

  /** Returns the id of a style in the including template. {@link settle} adds new styles. */
  adopt(id: string, source: Source): string {
    const xml = source.styles.get(id);
    const key = source.styleKeys.get(id);
    if (xml === undefined || key === undefined) return id;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    let adopted = id;
    for (let count = 2; this.#taken.has(adopted); count += 1) adopted = `${id}_${count}`;
    this.#ids.set(key, adopted);
    this.#taken.add(adopted);
    this.#pending.push({ id, source, xml, adopted });
    return adopted;
  }

  /** Adds all new styles, with the styles that they refer to. */
  settle(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      this.#bring(next);
    }
  }

  /** Returns the id of one of the including template's own styles; null if it has no such style. */
  hostId(id: string, source: Source): string | null {
    return this.#hostIds.get(source.styleKeys.get(id) ?? "") ?? null;
  }

  /** Whether a style is for headings. */
  isHeading(id: string, source: Source): boolean {
    const own = this.hostId(id, source);
    return own === null ? source.facts.headings.has(id) : this.#host.facts.headings.has(own);
  }

  /** Whether a style will number its paragraphs in the including template. */
  isNumbered(id: string, source: Source): boolean {
    return remembered(this.#numbered, id, source, () => {
      for (const style of this.#chain(id, source)) {
        if (style.source === this.#host) return this.#host.ofStyle(style.id) !== null;
        const numId = numIdIn(style.xml);
        if (numId !== null) return numId !== "0";
      }
      return false;
    });
  }

  /**
   * Returns the indents of a style that override those of its list. In a paragraph that refers to the list directly,
   * Word ignores these indents and uses those of the list.
   */
  indentsOf(id: string, source: Source): Indents {
    return remembered(this.#indents, id, source, () => {
      let indents: Indents = {};
      for (const { xml } of this.#chain(id, source)) {
        indents = { ...attributesOf(/<w:ind( [^>]*)\/>/.exec(xml)?.[1] ?? ""), ...indents };
        if (numIdIn(xml) !== null) return indents;
      }
      return {};
    });
  }

  /** Yields a style and the styles that it is based on, as they will be in the including template. */
  *#chain(first: string, from: Source): Generator<StyleOf> {
    let [id, source] = [first, from];
    for (let depth = 0; depth < MAX_CHAIN; depth += 1) {
      const own = source === this.#host ? null : this.hostId(id, source);
      if (own !== null) [id, source] = [own, this.#host];
      const xml = source.styles.get(id);
      if (xml === undefined) return;
      yield { id, source, xml };
      const next = /<w:basedOn w:val="([^"]*)"/.exec(xml)?.[1];
      if (next === undefined) return;
      id = next;
    }
  }

  #bring({ id, source, xml, adopted }: StyleOf & { readonly adopted: string }): void {
    const end = xml.indexOf(">");
    const written = xml
      .slice("<w:style".length, end)
      .replace(/ w:default="[^"]*"/, "")
      .replace(/ w:styleId="[^"]*"/, () => ` w:styleId="${adopted}"`);
    const attributes = this.#declarations.bring(written, prefixesInXml(xml), source.stylesScope);
    const content = xml
      .slice(end)
      .replace(
        /(<w:(?:basedOn|link|next) w:val=")([^"]*)/g,
        (_, start: string, other: string) => start + this.adopt(other, source),
      )
      .replace(/<w:numPr>.*?<\/w:numPr>/gs, (numPr) => this.#numPr(numPr, id, source));
    this.#xml += `<w:style${attributes}${content}`;
  }

  /**
   * Returns the numbering of an added style. The level is always written, because only the original list may define it.
   */
  #numPr(numPr: string, style: string, source: Source): string {
    const numId = numIdIn(numPr);
    if (numId === null) return numPr;
    const level = source.ofStyle(style)?.level ?? 0;
    return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${this.#listOf(numId, source)}"/></w:numPr>`;
  }
}

/** Caches a property of a style, because it is needed for each paragraph. */
function remembered<T>(
  facts: Map<Source, Map<string, T>>,
  id: string,
  source: Source,
  find: () => T,
): T {
  const ofSource = facts.get(source) ?? new Map<string, T>();
  facts.set(source, ofSource);
  const fact = ofSource.has(id) ? (ofSource.get(id) as T) : find();
  ofSource.set(id, fact);
  return fact;
}

function numIdIn(xml: string): string | null {
  return /<w:numId w:val="([^"]*)"/.exec(xml)?.[1] ?? null;
}
