import { DOMParser, type Element, type Node } from "@xmldom/xmldom";
import { partsOf } from "./word-file.ts";

/**
 * Returns the numbers that Word shows before the paragraphs of a document, computed only from its parts by the rules of
 * ECMA-376 part 1, 17.9: the instances (`w:num`) of one definition (`w:abstractNum`) share their counters; the
 * `w:startOverride` of an instance sets the counter at its first use; a number of a level resets the numbers of the
 * levels below it. Each part counts separately.
 */
export function labelledLines(bytes: Uint8Array, part = "word/document.xml"): string[] {
  const parts = partsOf(bytes);
  const lists = new Lists(parts.get("word/numbering.xml"));
  const styles = new Styles(parts.get("word/styles.xml"));
  const body = rootOf(parts.get(part) ?? "");
  return paragraphsOf(body).map((paragraph) => {
    const numbering = styles.numberingOf(paragraph, lists);
    const label = numbering === null ? null : lists.next(numbering.numId, numbering.level);
    const text = all(paragraph, "w:t")
      .map((each) => each.textContent ?? "")
      .join("");
    return label === null ? text : `${label} ${text}`.trimEnd();
  });
}

interface Level {
  readonly start: number;
  readonly format: string;
  readonly text: string;
  readonly style: string | null;
}

interface Instance {
  readonly definition: string;
  readonly starts: ReadonlyMap<number, number>;
  readonly levels: ReadonlyMap<number, Level>;
  readonly used: Set<number>;
}

class Lists {
  readonly #definitions = new Map<
    string,
    { levels: Map<number, Level>; styleLink: string | null; numStyleLink: string | null }
  >();
  readonly #instances = new Map<number, Instance>();
  readonly #counters = new Map<string, number[]>();

  constructor(xml: string | undefined) {
    if (xml === undefined) return;
    const root = rootOf(xml);
    for (const element of all(root, "w:abstractNum")) {
      const value = (name: string): string | null => attribute(all(element, name)[0], "w:val");
      this.#definitions.set(element.getAttribute("w:abstractNumId") ?? "", {
        levels: levelsOf(element),
        styleLink: value("w:styleLink"),
        numStyleLink: value("w:numStyleLink"),
      });
    }
    for (const element of all(root, "w:num")) {
      const starts = new Map<number, number>();
      const levels = new Map<number, Level>();
      for (const change of all(element, "w:lvlOverride")) {
        const level = Number(change.getAttribute("w:ilvl"));
        const start = attribute(all(change, "w:startOverride")[0], "w:val");
        if (start !== null) starts.set(level, Number(start));
        for (const [at, own] of levelsOf(change)) levels.set(at, own);
      }
      const definition = attribute(all(element, "w:abstractNumId")[0], "w:val") ?? "";
      this.#instances.set(Number(element.getAttribute("w:numId")), {
        definition: this.#linked(definition),
        starts,
        levels,
        used: new Set(),
      });
    }
  }

  /** Resolves a definition that takes its levels from a style to the definition of that style. */
  #linked(definition: string): string {
    const link = this.#definitions.get(definition)?.numStyleLink ?? null;
    if (link === null) return definition;
    return (
      [...this.#definitions].find(([, { styleLink }]) => styleLink === link)?.[0] ?? definition
    );
  }

  levelOfStyle(numId: number, style: string): number | null {
    const levels = this.#definitions.get(this.#instances.get(numId)?.definition ?? "")?.levels;
    return [...(levels ?? [])].find(([, level]) => level.style === style)?.[0] ?? null;
  }

  next(numId: number, level: number): string | null {
    const instance = this.#instances.get(numId);
    if (instance === undefined) return null;
    const shapes = this.#definitions.get(instance.definition)?.levels ?? new Map<number, Level>();
    const shape = (at: number): Level | undefined => instance.levels.get(at) ?? shapes.get(at);
    const start = (at: number): number => instance.starts.get(at) ?? shape(at)?.start ?? 1;
    const counters = this.#counters.get(instance.definition) ?? [];
    this.#counters.set(instance.definition, counters);
    const begins = instance.starts.has(level) && !instance.used.has(level);
    instance.used.add(level);
    const before = counters[level];
    counters[level] = before === undefined || begins ? start(level) : before + 1;
    counters.length = level + 1;
    for (let at = 0; at < level; at++) counters[at] ??= start(at);
    const { format = "decimal", text = `%${level + 1}.` } = shape(level) ?? {};
    if (format === "bullet") return "•";
    return text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return written(counters[at] ?? start(at), shape(at)?.format ?? "decimal");
    });
  }
}

function written(number: number, format: string): string {
  if (format === "lowerLetter") return String.fromCharCode(96 + number);
  if (format === "upperLetter") return String.fromCharCode(64 + number);
  return String(number);
}

function levelsOf(parent: Element): Map<number, Level> {
  const levels = new Map<number, Level>();
  for (const element of all(parent, "w:lvl")) {
    const value = (name: string): string | null => attribute(all(element, name)[0], "w:val");
    const level = Number(element.getAttribute("w:ilvl"));
    levels.set(level, {
      start: Number(value("w:start") ?? 0),
      format: value("w:numFmt") ?? "decimal",
      text: value("w:lvlText") ?? "",
      style: value("w:pStyle"),
    });
  }
  return levels;
}

class Styles {
  readonly #styles = new Map<string, Element>();

  constructor(xml: string | undefined) {
    if (xml === undefined) return;
    for (const style of all(rootOf(xml), "w:style")) {
      this.#styles.set(style.getAttribute("w:styleId") ?? "", style);
    }
  }

  numberingOf(
    paragraph: Element,
    lists: Lists,
  ): { readonly numId: number; readonly level: number } | null {
    const properties = children(paragraph, "w:pPr")[0];
    const name =
      attribute(properties && children(properties, "w:pStyle")[0], "w:val") ?? this.#default();
    const own = properties && children(properties, "w:numPr")[0];
    const numId =
      attribute(own && children(own, "w:numId")[0], "w:val") ?? this.#inherited(name, "w:numId");
    if (numId === null || numId === "0") return null;
    const level =
      attribute(own && children(own, "w:ilvl")[0], "w:val") ?? this.#inherited(name, "w:ilvl");
    return { numId: Number(numId), level: Number(level ?? this.#linked(name, numId, lists) ?? 0) };
  }

  /** Returns the default paragraph style. */
  #default(): string | null {
    const isDefault = (style: Element): boolean =>
      style.getAttribute("w:default") === "1" && style.getAttribute("w:type") === "paragraph";
    return [...this.#styles].find(([, style]) => isDefault(style))?.[0] ?? null;
  }

  /** Returns the level to which a definition links a style, or a style that it inherits the list from. */
  #linked(name: string | null, numId: string, lists: Lists): number | null {
    for (let at = name; at !== null; ) {
      const level = lists.levelOfStyle(Number(numId), at);
      const style = this.#styles.get(at);
      if (level !== null || (style && all(style, "w:numId").length > 0)) return level;
      at = attribute(style && children(style, "w:basedOn")[0], "w:val");
    }
    return null;
  }

  #inherited(name: string | null, property: string): string | null {
    let at = name;
    for (let depth = 0; at !== null && depth < 20; depth++) {
      const style = this.#styles.get(at);
      const value = attribute(style && all(style, property)[0], "w:val");
      if (value !== null) return value;
      at = attribute(style && children(style, "w:basedOn")[0], "w:val");
    }
    return null;
  }
}

/** Returns the root element of a part. Throws when it is not well-formed. */
export function rootOf(xml: string): Element {
  const document = new DOMParser({
    onError: (level, message) => {
      // U+FFFD in a part replaces characters of a value that XML forbids. This is correct.
      if (!message.startsWith("Unicode replacement")) throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(xml, "text/xml");
  if (document.documentElement === null) throw new Error("The part is empty.");
  return document.documentElement;
}

/** Returns the child elements. If `name` is given, returns only those with that name. */
export function children(parent: Node, name?: string): Element[] {
  return [...parent.childNodes].filter(
    (node): node is Element =>
      node.nodeType === 1 && (name === undefined || node.nodeName === name),
  );
}

/** Returns all descendants with this name, in document order. */
export function all(parent: Element, name: string): Element[] {
  return [...parent.getElementsByTagName(name)];
}

function paragraphsOf(body: Element): Element[] {
  return all(body, "w:p");
}

function attribute(element: Element | undefined, name: string): string | null {
  return element?.getAttribute(name) ?? null;
}
