import { withLists } from "../template/definition-parts.ts";
import { attributesOf } from "../template/nodes/nodes.ts";
import type { Numbering } from "../template/nodes/tag-uses.ts";
import type { Styles } from "../template/styles.ts";
import type { ListFacts } from "./paragraph-lists.ts";

/** A list of the template: an instance (`w:num`) of a definition (`w:abstractNum`). */
interface ListInstance extends Definition {
  readonly abstractId: string;
  /** The changes that the instance makes to its definition, as XML. */
  readonly overrides: string;
}

/** The template's numbering part, read once; empty if the template does not have this part. */
export interface NumberingPart {
  readonly part: string;
  /** Canonical XML; null if the template has no such part. */
  readonly xml: string | null;
  readonly lists: ReadonlyMap<number, ListInstance>;
  readonly maxNumId: number;
  readonly maxAbstractId: number;
}

/** Word's name for the part, for templates that do not have it. */
const DEFAULT_NAME = "numbering.xml";

/** The relevant properties of a definition (`w:abstractNum`). */
interface Definition {
  /** The start number of each level. */
  readonly starts: readonly number[];
  readonly counts: boolean;
  /** The level of each paragraph style that the definition names. */
  readonly levelOfStyle: ReadonlyMap<string, number>;
}

/** Reads the numbering part. `xml`: canonical XML, or null if the part is missing. */
export function readNumbering(
  part: string | null,
  xml: string | null,
  mainPart: string,
): NumberingPart {
  const folder = mainPart.slice(0, mainPart.lastIndexOf("/") + 1);
  const { definitions, maxAbstractId } = readDefinitions(xml ?? "");
  const lists = new Map<number, ListInstance>();
  let maxNumId = 0;
  for (const [, attributes = "", content = ""] of elements(xml ?? "", "w:num")) {
    const numId = Number(attributesOf(attributes)["w:numId"] ?? Number.NaN);
    if (!Number.isSafeInteger(numId)) continue;
    maxNumId = Math.max(maxNumId, numId);
    const abstractId = /<w:abstractNumId w:val="([^"]*)"/.exec(content)?.[1];
    if (abstractId === undefined) continue;
    const definition = definitions.get(abstractId) ?? UNKNOWN;
    const overrides = elements(content, "w:lvlOverride").map(([override]) => override);
    lists.set(numId, { ...definition, abstractId, overrides: overrides.join("") });
  }
  return { part: part ?? `${folder}${DEFAULT_NAME}`, xml, lists, maxNumId, maxAbstractId };
}

const UNKNOWN: Definition = { starts: [], counts: true, levelOfStyle: new Map() };

/** Returns the definitions by id. A definition that refers to a list style has the levels of that style. */
function readDefinitions(xml: string): {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly maxAbstractId: number;
} {
  const definitions = new Map<string, Definition>();
  const ofStyle = new Map<string, Definition>();
  const linked: [id: string, style: string][] = [];
  let maxAbstractId = -1;
  for (const [, attributes = "", content = ""] of elements(xml, "w:abstractNum")) {
    const id = attributesOf(attributes)["w:abstractNumId"] ?? "";
    maxAbstractId = Math.max(maxAbstractId, Number(id) || 0);
    const definition = definitionOf(content);
    definitions.set(id, definition);
    const style = /<w:styleLink w:val="([^"]*)"/.exec(content)?.[1];
    if (style !== undefined) ofStyle.set(style, definition);
    const link = /<w:numStyleLink w:val="([^"]*)"/.exec(content)?.[1];
    if (link !== undefined) linked.push([id, link]);
  }
  for (const [id, style] of linked) definitions.set(id, ofStyle.get(style) ?? UNKNOWN);
  return { definitions, maxAbstractId };
}

function definitionOf(content: string): Definition {
  const starts: number[] = [];
  const levelOfStyle = new Map<string, number>();
  let counts = false;
  for (const [, attributes = "", level = ""] of elements(content, "w:lvl")) {
    const number = Number(attributesOf(attributes)["w:ilvl"] ?? 0);
    starts[number] = Number(/<w:start w:val="(\d+)"/.exec(level)?.[1] ?? 0);
    const format = /<w:numFmt[^>]* w:val="([^"]*)"/.exec(level)?.[1] ?? "decimal";
    counts ||= format !== "bullet" && format !== "none";
    const style = /<w:pStyle w:val="([^"]*)"/.exec(level)?.[1];
    if (style !== undefined) levelOfStyle.set(style, number);
  }
  return { starts, counts, levelOfStyle };
}

function elements(xml: string, name: string): RegExpExecArray[] {
  return [...xml.matchAll(ELEMENTS[name] ?? /$^/g)];
}

const ELEMENTS: Readonly<Record<string, RegExp>> = {
  "w:abstractNum": /<w:abstractNum((?: [^>]*)?)(?<!\/)>(.*?)<\/w:abstractNum>/gs,
  "w:num": /<w:num((?: [^>]*)?)(?<!\/)>(.*?)<\/w:num>/gs,
  "w:lvl": /<w:lvl((?: [^>]*)?)(?<!\/)>(.*?)<\/w:lvl>/gs,
  "w:lvlOverride": /<w:lvlOverride((?: [^>]*)?)(?<!\/)>(.*?)<\/w:lvlOverride>/gs,
};

/** Returns what the compiler must know about the template's lists. */
export function listFacts(
  { lists }: NumberingPart,
  { numberingOf, indentsOf, idOf, ofType }: Styles,
): Omit<ListFacts, "includedPart"> {
  const counts = (numId: number): boolean => lists.get(numId)?.counts ?? false;
  const styleId = (name: string): string | null => idOf(name, "paragraph");
  const ofStyle = (style: string): Numbering | null => {
    const found = numberingOf(style);
    if (found === null) return null;
    const { numId, level, through } = found;
    const levelOfStyle = lists.get(numId)?.levelOfStyle;
    const linked = through.flatMap((id) => levelOfStyle?.get(id) ?? []);
    return { numId, level: level ?? linked[0] ?? 0 };
  };
  let known: ReadonlySet<number> | null = null;
  const ofStyles = (): ReadonlySet<number> => {
    if (known !== null) return known;
    const ids = ofType("paragraph").map(({ id }) => id);
    known = new Set(ids.flatMap((id) => ofStyle(id)?.numId ?? []).filter(counts));
    return known;
  };
  return { ofStyle, ofStyles, styleId, indentsOf, counts };
}

/** Word does not show numbers for more than about 2,020 instances (`w:num`). */
const MAX_LISTS = 2_000;

/** Creates the lists of a document that are not in its template. */
export class NumberingWriter {
  readonly #numbering: NumberingPart;
  #definitions = "";
  #instances = "";
  #numId: number;
  #abstractId: number;
  #added = 0;
  readonly #bullets = new Map<string, number>();
  readonly #shared = new Map<string, number>();

  constructor(numbering: NumberingPart) {
    this.#numbering = numbering;
    this.#numId = numbering.maxNumId;
    this.#abstractId = numbering.maxAbstractId;
  }

  /** Adds a list that is like an existing list but restarts. Returns its number. */
  restart(numId: number): number {
    const list = this.#numbering.lists.get(numId);
    if (list === undefined) return numId;
    return this.#instance(list.abstractId, restarted(list));
  }

  /**
   * Adds a list that starts at `start` on a level. Returns its number; null if Word cannot handle more lists. Lists
   * with the same `key` share a definition. `definition` returns the `w:abstractNum` with a given id.
   */
  add(
    key: string,
    definition: (id: number) => string,
    level: number,
    start: number,
  ): number | null {
    if (this.#isFull()) return null;
    const override = `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`;
    return this.#instance(this.#define(key, definition), override);
  }

  /** Adds a bullet list; see {@link add}. There is one list for each bullet character. */
  bullets(sign: string, definition: (id: number) => string): number | null {
    const known = this.#bullets.get(sign);
    if (known !== undefined || this.#isFull()) return known ?? null;
    const numId = this.#instance(this.#define(`bullets ${sign}`, definition), "");
    this.#bullets.set(sign, numId);
    return numId;
  }

  #isFull(): boolean {
    return this.#numbering.lists.size + this.#added >= MAX_LISTS;
  }

  #define(key: string, definition: (id: number) => string): number {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    this.#abstractId += 1;
    this.#definitions += definition(this.#abstractId);
    this.#shared.set(key, this.#abstractId);
    return this.#abstractId;
  }

  #instance(abstractId: number | string, overrides: string): number {
    this.#added += 1;
    this.#numId += 1;
    this.#instances += `<w:num w:numId="${this.#numId}"><w:abstractNumId w:val="${abstractId}"/>${overrides}</w:num>`;
    return this.#numId;
  }

  /** Returns the part with the added lists; null if none were added. */
  finish(): { readonly part: string; readonly xml: string; readonly added: boolean } | null {
    if (this.#instances === "") return null;
    const { part, xml } = this.#numbering;
    return {
      part,
      xml: withLists(xml, { definitions: this.#definitions, lists: this.#instances }),
      added: xml === null,
    };
  }
}

/** Returns the overrides of an instance, with start numbers for its levels. */
function restarted({ overrides, starts }: ListInstance): string {
  let xml = "";
  const present = new Set<number>();
  for (const [, attributes = "", content = ""] of elements(overrides, "w:lvlOverride")) {
    const level = Number(attributesOf(attributes)["w:ilvl"] ?? 0);
    present.add(level);
    const own =
      /<w:startOverride w:val="(\d+)"/.exec(content)?.[1] ??
      /<w:start w:val="(\d+)"/.exec(content)?.[1] ??
      starts[level] ??
      1;
    const rest = content.replace(/<w:startOverride [^>]*\/>/, "");
    xml += `<w:lvlOverride${attributes}><w:startOverride w:val="${own}"/>${rest}</w:lvlOverride>`;
  }
  for (const [level, start] of starts.entries()) {
    if (start === undefined || present.has(level)) continue;
    xml += `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`;
  }
  return xml;
}
