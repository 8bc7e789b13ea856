import { attributesOf, descendants, type ElementNode } from "../template/nodes/nodes.ts";

/** Attributes whose value is a list of prefixes, or of names with prefixes (ECMA-376 part 3). */
const LISTS = [
  "mc:Ignorable",
  "mc:ProcessContent",
  "mc:MustUnderstand",
  "mc:PreserveElements",
  "mc:PreserveAttributes",
];

const MC = "http://schemas.openxmlformats.org/markup-compatibility/2006";

/** An entry of one of {@link LISTS}, such as `w14` or `x:name`. */
interface Entry {
  readonly list: string;
  readonly text: string;
}

/** The declarations that are in scope at an element. Values are escaped, as in the XML. */
export interface Scope {
  /** Namespaces by prefix. The prefix of the default namespace is `""`. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The entries of {@link LISTS}, by prefix. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
}

/** Returns the scope inside nested elements, from their attributes. The outermost element comes first. */
export function scopeOf(...attributes: readonly string[]): Scope {
  const namespaces = new Map<string, string>();
  const entries = new Map<string, Entry[]>();
  for (const each of attributes) {
    for (const [name, value = ""] of Object.entries(attributesOf(each))) {
      if (name === "xmlns") namespaces.set("", value);
      else if (name.startsWith("xmlns:")) namespaces.set(name.slice("xmlns:".length), value);
      if (!LISTS.includes(name)) continue;
      for (const text of entriesOf(value)) {
        const known = entries.get(prefixOf(text)) ?? [];
        entries.set(prefixOf(text), known);
        known.push({ list: name, text });
      }
    }
  }
  return { namespaces, entries };
}

/**
 * Gives moved content the declarations that it had in its own file. A prefix that is unknown in the new part is
 * declared on the part's root element. A prefix that has another meaning there is declared on the content.
 */
export class Declarations {
  readonly #attributes: string;
  /** Namespaces at the root and at the content, including the added ones. */
  readonly #atRoot: Map<string, string>;
  readonly #here: Map<string, string>;
  /** The list entries at the content, each with the name of its list. */
  readonly #listed: Set<string>;
  readonly #added = new Map<string, string>();
  readonly #entries: Entry[] = [];

  /**
   * `root`: the attributes of the new part's root. `between`: the attributes of the elements from the root to the
   * content.
   */
  constructor(root: string, between: readonly string[] = []) {
    const { namespaces, entries } = scopeOf(root, ...between);
    this.#attributes = root;
    this.#atRoot = new Map(scopeOf(root).namespaces);
    this.#here = new Map(namespaces);
    this.#listed = new Set([...entries.values()].flat().map(keyOf));
  }

  /** The attributes of the root element with the added declarations. */
  get root(): string {
    const declared = [...this.#added].map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
    return withEntries(this.#attributes + declared.join(""), this.#entries);
  }

  /**
   * Adds the declarations for one element of the content. Returns the new attributes of the element. `used`: the
   * prefixes that the element and its content use. `from`: the scope around the element in its own file.
   */
  bring(attributes: string, used: ReadonlySet<string>, from: Scope): string {
    const own = attributesOf(attributes);
    let brought = attributes;
    for (const prefix of used) {
      const name = prefix === "" ? "xmlns" : `xmlns:${prefix}`;
      // Without a default namespace, names without a prefix do not belong to a namespace.
      const nothing = prefix === "" ? "" : undefined;
      const uri = own[name] ?? from.namespaces.get(prefix) ?? nothing;
      // The scope does not know the prefix, so an element inside declares it.
      if (uri === undefined) continue;
      if (own[name] === undefined && this.#declare(prefix, uri, nothing)) {
        brought += ` ${name}="${uri}"`;
      }
      if (from.namespaces.get(prefix) !== uri) continue;
      brought = withEntries(brought, this.#missing(prefix, uri, from));
    }
    return brought;
  }

  /** Declares a prefix on the root if it has no meaning there. Returns whether the content must declare it. */
  #declare(prefix: string, uri: string, nothing?: string): boolean {
    const there = this.#here.get(prefix) ?? nothing;
    if (there !== undefined) return there !== uri;
    this.#added.set(prefix, uri);
    this.#atRoot.set(prefix, uri);
    this.#here.set(prefix, uri);
    return false;
  }

  /**
   * Copies the list entries of a prefix to the root if the prefix means the same there. Returns the entries that the
   * content must declare.
   */
  #missing(prefix: string, uri: string, from: Scope): readonly Entry[] {
    const entries = from.entries.get(prefix) ?? [];
    const isAtRoot = this.#atRoot.get(prefix) === uri && this.#here.get(prefix) === uri;
    const missing = isAtRoot ? entries.filter((entry) => !this.#listed.has(keyOf(entry))) : entries;
    if (missing.length > 0) this.#declare("mc", MC);
    if (!isAtRoot) return missing;
    for (const entry of missing) {
      this.#listed.add(keyOf(entry));
      this.#entries.push(entry);
    }
    return [];
  }
}

/** Returns the prefixes that an element and its content use. A name without a prefix counts as `""`. */
export function prefixesIn(element: ElementNode): Set<string> {
  const found = new Set<string>();
  collect(element.name, element.attributes, found);
  for (const node of descendants(element)) {
    if (node.kind === "element") collect(node.name, node.attributes, found);
  }
  return found;
}

/** Returns the prefixes that canonical XML uses; see {@link prefixesIn}. */
export function prefixesInXml(xml: string): Set<string> {
  const found = new Set<string>();
  for (const [, name = "", attributes = ""] of xml.matchAll(/<([^\s/>]+)([^>]*)>/g)) {
    collect(name, attributes, found);
  }
  return found;
}

function collect(name: string, attributes: string, found: Set<string>): void {
  const colon = name.indexOf(":");
  found.add(name.slice(0, Math.max(colon, 0)));
  if (!attributes.includes(":") && !attributes.includes(" Requires=")) return;
  for (const [, prefix = ""] of attributes.matchAll(
    / (?!xmlns[:=]|xml:)([^\s:="]+):[^\s:="]+="/g,
  )) {
    found.add(prefix);
  }
  for (const [, value = ""] of attributes.matchAll(/ (?:mc:[A-Z]\w+|Requires)="([^"]*)"/g)) {
    for (const entry of entriesOf(value)) found.add(prefixOf(entry));
  }
}

function entriesOf(value: string): string[] {
  return value.split(/\s+/).filter((entry) => entry !== "");
}

function prefixOf(entry: string): string {
  return entry.split(":", 1)[0] ?? "";
}

function keyOf({ list, text }: Entry): string {
  return `${list} ${text}`;
}

/** Adds entries to the lists in attributes. */
function withEntries(attributes: string, entries: readonly Entry[]): string {
  let changed = attributes;
  for (const list of new Set(entries.map((entry) => entry.list))) {
    const before = attributesOf(changed)[list];
    const added = entries.filter((entry) => entry.list === list).map(({ text }) => text);
    const all = [...new Set([...entriesOf(before ?? ""), ...added])].join(" ");
    changed =
      before === undefined
        ? `${changed} ${list}="${all}"`
        : changed.replace(` ${list}="${before}"`, () => ` ${list}="${all}"`);
  }
  return changed;
}
