import { tooMany } from "@quire/ooxml/internal/limits/refusal";
import { type Declarations, prefixesInXml } from "./declarations.ts";
import type { Source } from "./source.ts";

/** New numbers of included lists, and new ids of their definitions. */
export interface Adopted {
  readonly lists: Map<string, string>;
  /** Numbers of lists that do not set a start number, by their content. */
  readonly equal: Map<string, string>;
  readonly definitions: Map<string, string>;
}

/** One inclusion of a template, with its own copies of lists. */
export interface Inclusion extends Adopted {
  readonly source: Source;
  /** The name of the included part, as in the `Place.part` of its tags. */
  readonly part: string;
}

/** A list of an included template, as a style or one inclusion uses it. */
interface IncludedList {
  readonly numId: string;
  readonly source: Source;
  readonly home: Adopted;
  /** The included part if the list restarts in each inclusion; otherwise null. */
  readonly part: string | null;
}

/** Maximum length of the added XML, in characters. No real document has lists of this size. */
const MAX_ADDED = 50_000_000;

/** Access to the styles of both templates. */
interface StylesOfLists {
  isHeading(id: string, source: Source): boolean;
  hostId(id: string, source: Source): string | null;
  adopt(id: string, source: Source): string;
}

/** A paragraph style that is numbered by a list definition. */
interface NumberedStyle {
  readonly id: string;
  readonly level: number;
}

/** The relevant properties of an included template's list definition. */
interface Definition {
  readonly styles: NumberedStyle[];
  /** Whether the definition numbers headings. */
  headings: boolean;
}

/** Adds the lists of included templates to the including template. */
export class AdoptedLists {
  readonly #host: Source;
  readonly #declarations: Declarations;
  readonly #styles: StylesOfLists;
  readonly #picture: (xml: string, source: Source) => string;
  readonly #facts = new Map<Source, Map<string, Definition>>();
  /** Lists that all inclusions of a template share: the lists of styles and headings, and bullet lists. */
  readonly #lasting = new Map<Source, Adopted>();
  readonly #pictureIds = new Map<string, number>();
  /** The part that each list came from, for lists that restart in each inclusion. */
  readonly #parts = new Map<number, string>();
  #size = 0;
  #nextNumId: number;
  #nextDefinition: number;
  #nextPicture: number;
  #definitions = "";
  #lists = "";
  #pictures = "";

  /** `picture` adapts the references in the XML of a picture bullet to the including template. */
  constructor(
    host: Source,
    declarations: Declarations,
    styles: StylesOfLists,
    picture: (xml: string, source: Source) => string,
  ) {
    this.#host = host;
    this.#declarations = declarations;
    this.#styles = styles;
    this.#picture = picture;
    this.#nextNumId = host.numbering.maxNumId + 1;
    this.#nextDefinition = host.numbering.maxAbstractId + 1;
    const pictures = [...host.pictures.keys()].map(Number);
    this.#nextPicture = 1 + Math.max(-1, ...pictures.filter(Number.isSafeInteger));
  }

  /** The XML of all additions. */
  get xml(): { readonly definitions: string; readonly lists: string; readonly pictures: string } {
    return { definitions: this.#definitions, lists: this.#lists, pictures: this.#pictures };
  }

  /** The lists that restart in each inclusion, by number, with the part that each came from. */
  get parts(): ReadonlyMap<number, string> {
    return this.#parts;
  }

  /**
   * Whether a list continues across all inclusions. Numbered headings continue, and so do bullets, because bullets have
   * no numbers.
   */
  continues(numId: string, source: Source): boolean {
    const { lists } = source.numbering;
    return this.ofHeadings(numId, source) || lists.get(Number(numId))?.counts === false;
  }

  /** Whether a list numbers headings. */
  ofHeadings(numId: string, source: Source): boolean {
    const id = source.definitionOf(numId);
    return id !== null && this.#factsOf(id, source).headings;
  }

  /** Returns the number of the copied list for an added style. */
  ofStyle(numId: string, source: Source): string {
    return this.#listOf({ numId, source, home: this.#lastingOf(source), part: null });
  }

  /** Returns the number of the copied list for a paragraph of an inclusion. */
  ofParagraph(numId: string, inclusion: Inclusion): string {
    const { source, part } = inclusion;
    if (!this.continues(numId, source)) {
      return this.#listOf({ numId, source, home: inclusion, part });
    }
    const lasting = this.#lastingOf(source);
    // A list that sets a start number restarts in each inclusion.
    const lists = source.restarting.has(numId) ? inclusion.lists : lasting.lists;
    return this.#listOf({ numId, source, home: { ...lasting, lists }, part: null });
  }

  #listOf(list: IncludedList): string {
    const { numId, source, home } = list;
    const known = home.lists.get(numId);
    if (known !== undefined) return known;
    const xml = source.lists.get(numId);
    const definition = source.definitionOf(numId);
    if (xml === undefined || definition === null) return "0";
    const content = xml.slice(xml.indexOf(">"));
    // Equal lists of one definition share their numbering.
    const equal = source.restarting.has(numId) ? undefined : home.equal.get(content);
    const adopted = equal ?? String(this.#nextNumId++);
    home.lists.set(numId, adopted);
    if (equal !== undefined) return equal;
    home.equal.set(content, adopted);
    this.#add(adopted, content, definition, list);
    return adopted;
  }

  #add(adopted: string, content: string, definition: string, list: IncludedList): void {
    const { source, part } = list;
    if (part !== null) this.#parts.set(Number(adopted), part);
    const id = this.#define(definition, list);
    const written = this.#adapted(content, source, () => "").replace(
      /(<w:abstractNumId w:val=")[^"]*/,
      (_, start: string) => start + id,
    );
    const attributes = this.#declarations.bring(
      ` w:numId="${adopted}"`,
      prefixesInXml(content),
      source.numberingScope,
    );
    this.#lists += this.#counted(`<w:num${attributes}${written}`);
  }

  /**
   * Returns the new id of a definition, and adds its copy if necessary. Lists with the same definition share their
   * numbering, so they also share the copy.
   */
  #define(original: string, list: IncludedList): string {
    const { numId, source, home, part } = list;
    const known = home.definitions.get(original);
    if (known !== undefined) return known;
    const isLasting = part === null;
    const continues = this.continues(numId, source);
    const twin = continues || !isLasting ? this.#twinOf(numId, original, source) : null;
    const id = continues && twin !== null ? twin : String(this.#nextDefinition++);
    home.definitions.set(original, id);
    if (id === twin) return id;
    const xml =
      twin === null
        ? (source.definitions.get(original) ?? "")
        : withStarts(this.#host.definitions.get(twin) ?? "", source, numId);
    const from = twin === null ? source : this.#host;
    const end = xml.indexOf(">");
    const attributes = this.#declarations.bring(
      xml
        .slice("<w:abstractNum".length, end)
        .replace(/ w:abstractNumId="[^"]*"/, ` w:abstractNumId="${id}"`),
      prefixesInXml(xml),
      from.numberingScope,
    );
    // A style may belong to one definition only.
    const content = this.#adapted(xml.slice(end), from, (style) =>
      isLasting && from.styles.has(style) && this.#styles.hostId(style, from) === null
        ? `<w:pStyle w:val="${this.#styles.adopt(style, from)}"/>`
        : "",
    );
    this.#definitions += this.#counted(`<w:abstractNum${attributes}${content}`);
    return id;
  }

  /** Throws `limit_exceeded` if too much is added. Each inclusion may have its own copies of lists. */
  #counted(xml: string): string {
    this.#size += xml.length;
    if (this.#size > MAX_ADDED) throw tooMany("characters of included lists", MAX_ADDED);
    return xml;
  }

  /** Replaces style and picture ids in list XML. */
  #adapted(xml: string, source: Source, style: (id: string) => string): string {
    return (
      xml
        // Word merges definitions that share an nsid.
        .replace(/<w:(?:nsid|styleLink|numStyleLink) [^>]*\/>/g, "")
        .replace(/<w:pStyle w:val="([^"]*)"[^>]*\/>/g, (_, id: string) => style(id))
        .replace(/<w:lvlPicBulletId w:val="([^"]*)"\/>/g, (_, id: string) => {
          const picture = source === this.#host ? id : this.#pictureOf(id, source);
          return picture === null ? "" : `<w:lvlPicBulletId w:val="${picture}"/>`;
        })
    );
  }

  #pictureOf(original: string, source: Source): number | null {
    const xml = source.pictures.get(original);
    if (xml === undefined) return null;
    const fitting = this.#picture(xml, source);
    const end = fitting.indexOf(">");
    const known = this.#pictureIds.get(fitting.slice(end));
    if (known !== undefined) return known;
    const id = this.#nextPicture++;
    this.#pictureIds.set(fitting.slice(end), id);
    const attributes = this.#declarations.bring(
      ` w:numPicBulletId="${id}"`,
      prefixesInXml(fitting),
      source.numberingScope,
    );
    this.#pictures += `<w:numPicBullet${attributes}${fitting.slice(end)}`;
    return id;
  }

  /**
   * Returns the definition of the including template that replaces an included one, so that shared styles keep the look
   * of the including template. Both must number the same shared styles on the same levels. Null if there is no such
   * definition.
   */
  #twinOf(numId: string, original: string, source: Source): string | null {
    const host = this.#host;
    let twin: string | null = null;
    for (const { id, level } of this.#factsOf(original, source).styles) {
      const hostId = this.#styles.hostId(id, source);
      if (hostId === null) continue;
      const numbering = host.ofStyle(hostId);
      const other = numbering === null ? null : host.definitionOf(String(numbering.numId));
      if (numbering === null || other === null || numbering.level !== level) return null;
      if ((twin !== null && twin !== other) || !canReplace(host, numbering.numId, source, numId)) {
        return null;
      }
      twin = other;
    }
    return twin;
  }

  #lastingOf(source: Source): Adopted {
    const known = this.#lasting.get(source) ?? {
      lists: new Map(),
      equal: new Map(),
      definitions: new Map(),
    };
    this.#lasting.set(source, known);
    return known;
  }

  #factsOf(definition: string, source: Source): Definition {
    let facts = this.#facts.get(source);
    if (facts === undefined) {
      facts = new Map();
      this.#facts.set(source, facts);
      for (const id of source.styles.keys()) {
        const numbering = source.ofStyle(id);
        if (numbering === null) continue;
        const numbered = source.definitionOf(String(numbering.numId)) ?? "";
        const known = facts.get(numbered) ?? { styles: [], headings: false };
        facts.set(numbered, known);
        known.styles.push({ id, level: numbering.level });
        known.headings ||= this.#styles.isHeading(id, source);
      }
    }
    return facts.get(definition) ?? { styles: [], headings: false };
  }
}

/** Whether a list of the including template has all levels of an included list and numbers them in the same way. */
function canReplace(host: Source, hostNumId: number, source: Source, numId: string): boolean {
  const other = host.numbering.lists.get(hostNumId);
  const own = source.numbering.lists.get(Number(numId));
  if (other === undefined || own === undefined || other.overrides.includes("<w:lvl ")) return false;
  return (
    own.counts === other.counts && own.starts.every((_, level) => other.starts[level] !== undefined)
  );
}

/** Gives each level of a definition the start number that it has in an included list. */
function withStarts(definition: string, source: Source, numId: string): string {
  const { starts = [] } = source.numbering.lists.get(Number(numId)) ?? {};
  return definition.replace(/(<w:lvl [^>]*>)(?:<w:start [^>]*\/>)?/g, (all, level: string) => {
    const start = starts[Number(/ w:ilvl="(\d+)"/.exec(level)?.[1] ?? 0)];
    return start === undefined ? all : `${level}<w:start w:val="${start}"/>`;
  });
}
