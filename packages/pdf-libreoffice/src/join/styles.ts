import { BORDERS, KEEPS } from "./blocks.ts";
import { refuse } from "./refusal.ts";
import type { TagReader } from "./tags.ts";

/** The properties of a style that affect joining. */
export interface Style {
  readonly basedOn: string | null;
  /** The ids of its lists. */
  readonly lists: readonly string[];
  /** Whether its paragraphs are in a frame. */
  readonly framed: boolean;
  /** Whether the style keeps content together on a page or repeats it on the next page. */
  readonly keeps: boolean;
  /** Whether the style gives paragraphs borders or a background. */
  readonly borders: boolean;
}

/** The styles of a document. */
export class Styles {
  readonly #byId: ReadonlyMap<string, Style>;
  readonly #defaults: readonly string[];

  constructor(byId: ReadonlyMap<string, Style>, defaults: readonly string[]) {
    this.#byId = byId;
    this.#defaults = defaults;
  }

  /** Returns the styles with these ids, the default styles, and the styles that these are based on. */
  usedBy(ids: Iterable<string>): Style[] {
    const used = new Set([...this.#defaults, ...ids]);
    const styles: Style[] = [];
    for (const id of used) {
      const style = this.#byId.get(id);
      if (style === undefined) continue;
      styles.push(style);
      if (style.basedOn !== null) used.add(style.basedOn);
    }
    return styles;
  }
}

/** Reads `styles.xml`. */
export function readStyles(xml: string, tags: TagReader): Styles {
  const byId = new Map<string, Style>();
  const defaults: string[] = [];
  for (let at = xml.indexOf("<w:style "); at !== -1; ) {
    const tag = tags.read(xml, at);
    const end = tag.empty ? at + tag.text.length : xml.indexOf("</w:style>", at);
    if (end < at) refuse("unusual style definitions");
    const id = tag.attributes.get("w:styleId")?.value ?? "";
    if (/^(?:1|true|on)$/.test(tag.attributes.get("w:default")?.value ?? "")) defaults.push(id);
    byId.set(id, readStyle(xml.slice(at, end), tags));
    at = xml.indexOf("<w:style ", end);
  }
  return new Styles(byId, defaults);
}

function readStyle(xml: string, tags: TagReader): Style {
  return {
    basedOn: valuesOf(xml, "w:basedOn", tags)[0] ?? null,
    lists: valuesOf(xml, "w:numId", tags).filter((id) => id !== "0"),
    framed: xml.includes("<w:framePr"),
    borders: holds(xml.slice(0, xml.lastIndexOf("</w:pPr>") + 1), BORDERS),
    keeps: holds(xml, KEEPS),
  };
}

function holds(xml: string, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => xml.includes(`<${name}`));
}

function valuesOf(xml: string, name: string, tags: TagReader): string[] {
  const start = `<${name} `;
  const values: string[] = [];
  for (let at = xml.indexOf(start); at !== -1; at = xml.indexOf(start, at + 1)) {
    values.push(tags.read(xml, at).attributes.get("w:val")?.value ?? "");
  }
  return values;
}
