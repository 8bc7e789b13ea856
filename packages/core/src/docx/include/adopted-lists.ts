import { type Declarations, prefixesInXml } from "./declarations.ts";
import type { Source } from "./source.ts";

/** New numbers of included lists, and new ids of their definitions. */
export interface Adopted {
  readonly lists: Map<string, string>;
  readonly definitions: Map<string, string>;
}

/** One inclusion of a template, with its own copies of lists. */
export interface Inclusion extends Adopted {
  readonly source: Source;
  /** The name of the included part, as in the places of its tags. */
  readonly part: string;
}

/** Facts about the styles of both templates. */
interface StylesOfLists {
  isHeading(id: string, source: Source): boolean;
  hostId(id: string, source: Source): string | null;
  adopt(id: string, source: Source): string;
}

/** A paragraph style that a definition numbers. */
interface NumberedStyle {
  readonly id: string;
  readonly level: number;
}

/** Facts about a list definition of an included template. */
interface Definition {
  readonly styles: NumberedStyle[];
  /** Whether it numbers headings. */
  headings: boolean;
}

/** Adds lists of included templates to those of the including template. */
export class AdoptedLists {
  readonly #host: Source;
  readonly #declarations: Declarations;
  readonly #styles: StylesOfLists;
  readonly #picture: (xml: string, source: Source) => string;
  readonly #facts = new Map<Source, Map<string, Definition>>();
  /** Lists that all inclusions of a template share: those of styles, headings and bullets. */
  readonly #lasting = new Map<Source, Adopted>();
  readonly #pictureIds = new Map<string, number>();
  /** The part that each list with its own numbers per inclusion came from. */
  readonly #parts = new Map<number, string>();
  #nextNumId: number;
  #nextDefinition: number;
  #nextPicture: number;
  #definitions = "";
  #lists = "";
  #pictures = "";

  /** `picture` changes the references in the XML of a picture bullet to those of the including template. */
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

  /** The XML of everything added. */
  get xml(): { readonly definitions: string; readonly lists: string; readonly pictures: string } {
    return { definitions: this.#definitions, lists: this.#lists, pictures: this.#pictures };
  }

  /** By list number: the part that a list came from which restarts in each inclusion. */
  get parts(): ReadonlyMap<number, string> {
    return this.#parts;
  }

  /** Whether a list continues over all inclusions: numbered headings do, and bullets do not count. */
  continues(numId: string, source: Source): boolean {
    const id = source.definitionOf(numId);
    if (id !== null && this.#factsOf(id, source).headings) return true;
    return source.numbering.lists.get(Number(numId))?.counts === false;
  }

  /** The number of the list for an added style. */
  ofStyle(numId: string, source: Source): string {
    return this.#listOf(numId, source, this.#lastingOf(source), null);
  }

  /** The number of the list for a paragraph of an inclusion. */
  ofParagraph(numId: string, inclusion: Inclusion): string {
    const { source, part } = inclusion;
    if (!this.continues(numId, source)) return this.#listOf(numId, source, inclusion, part);
    const { definitions, lists } = this.#lastingOf(source);
    const restarts = source.lists.get(numId)?.includes("<w:startOverride ") === true;
    // A list with a start of its own restarts in each inclusion.
    const home = { definitions, lists: restarts ? inclusion.lists : lists };
    return this.#listOf(numId, source, home, null);
  }

  #listOf(numId: string, source: Source, home: Adopted, part: string | null): string {
    const xml = source.lists.get(numId);
    const definition = source.definitionOf(numId);
    if (xml === undefined || definition === null) return "0";
    const content = xml.slice(xml.indexOf(">"));
    // Equal lists of one definition count together.
    const key = content.includes("<w:startOverride ") ? numId : content;
    const known = home.lists.get(key);
    if (known !== undefined) return known;
    const adopted = this.#nextNumId++;
    home.lists.set(key, String(adopted));
    if (part !== null) this.#parts.set(adopted, part);
    const id = this.#define(numId, definition, source, home, part === null);
    const written = this.#adapted(content, source, () => "").replace(
      /(<w:abstractNumId w:val=")[^"]*/,
      (_, start: string) => start + id,
    );
    const attributes = this.#declarations.bring(
      ` w:numId="${adopted}"`,
      prefixesInXml(content),
      source.numberingScope,
    );
    this.#lists += `<w:num${attributes}${written}`;
    return String(adopted);
  }

  /** The new id of a definition. Lists that shared the original count together, so they share the copy. */
  #define(
    numId: string,
    original: string,
    source: Source,
    home: Adopted,
    isLasting: boolean,
  ): string {
    const known = home.definitions.get(original);
    if (known !== undefined) return known;
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
    this.#definitions += `<w:abstractNum${attributes}${content}`;
    return id;
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
   * The definition of the including template that replaces an included one, so that shared styles keep its
   * look. Both must number the same shared styles on the same levels. Null if there is none.
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
    const known = this.#lasting.get(source) ?? { lists: new Map(), definitions: new Map() };
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

/** Whether a list of the including template has all levels of an included one and counts like it. */
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
