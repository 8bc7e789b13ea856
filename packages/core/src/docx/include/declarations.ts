import { attributesOf, descendants, type ElementNode } from "../template/nodes.ts";

/** Attributes whose value is a list of prefixes, or of names with prefixes (ECMA-376 part 3). */
const LISTS = [
  "mc:Ignorable",
  "mc:ProcessContent",
  "mc:MustUnderstand",
  "mc:PreserveElements",
  "mc:PreserveAttributes",
];

const MC = "http://schemas.openxmlformats.org/markup-compatibility/2006";

/** The declarations that are in scope at an element. Values are escaped, as in the XML. */
export interface Scope {
  /** Namespaces by prefix. The prefix of the default namespace is `""`. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** The entries of each of {@link LISTS}. */
  readonly lists: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The scope inside nested elements, from their attributes. The outermost element comes first. */
export function scopeOf(...attributes: readonly string[]): Scope {
  const namespaces = new Map<string, string>();
  const lists = new Map<string, Set<string>>(LISTS.map((list) => [list, new Set()]));
  for (const each of attributes) {
    for (const [name, value = ""] of Object.entries(attributesOf(each))) {
      if (name === "xmlns") namespaces.set("", value);
      else if (name.startsWith("xmlns:")) namespaces.set(name.slice("xmlns:".length), value);
      for (const entry of entriesOf(value)) lists.get(name)?.add(entry);
    }
  }
  return { namespaces, lists };
}

/**
 * Gives moved content the declarations that it had in its own file. A prefix that the new part does not
 * know is declared on its root element. A prefix with another meaning there is declared on the content.
 */
export class Declarations {
  #root: string;
  readonly #between: readonly string[];
  #place: Scope;

  /** `root`: the attributes of the new part's root; `between`: those of the elements from there to the content. */
  constructor(root: string, between: readonly string[] = []) {
    this.#root = root;
    this.#between = between;
    this.#place = scopeOf(root, ...between);
  }

  /** The attributes of the root element with the added declarations. */
  get root(): string {
    return this.#root;
  }

  /**
   * Adds the declarations for one element of the content. Returns the new attributes of the element.
   * `used`: the prefixes in it; `from`: the scope around it in its own file.
   */
  bring(attributes: string, used: ReadonlySet<string>, from: Scope): string {
    let brought = attributes;
    for (const prefix of used) brought = this.#bring(brought, prefix, from);
    return brought;
  }

  #bring(attributes: string, prefix: string, from: Scope): string {
    const name = prefix === "" ? "xmlns" : `xmlns:${prefix}`;
    const own = attributesOf(attributes)[name];
    // Without a default namespace, names without a prefix are in no namespace.
    const nothing = prefix === "" ? "" : undefined;
    const uri = own ?? from.namespaces.get(prefix) ?? nothing;
    // The scope does not know the prefix, so an element inside declares it.
    if (uri === undefined) return attributes;
    let brought = attributes;
    if (own === undefined) {
      const there = this.#place.namespaces.get(prefix) ?? nothing;
      if (there === undefined) this.#declare(prefix, uri);
      else if (there !== uri) brought += ` ${name}="${uri}"`;
    }
    return from.namespaces.get(prefix) === uri ? this.#list(brought, prefix, uri, from) : brought;
  }

  /** Copies the list entries of a prefix: to the root if the prefix means the same there, else to the element. */
  #list(attributes: string, prefix: string, uri: string, from: Scope): string {
    let brought = attributes;
    const isAtRoot =
      this.#place.namespaces.get(prefix) === uri &&
      scopeOf(this.#root).namespaces.get(prefix) === uri;
    for (const [list, entries] of from.lists) {
      const own = [...entries].filter((entry) => entry.split(":")[0] === prefix);
      const known = this.#place.lists.get(list);
      if (own.length === 0 || (isAtRoot && own.every((entry) => known?.has(entry)))) continue;
      if (this.#place.namespaces.get("mc") === undefined) this.#declare("mc", MC);
      if (isAtRoot) this.#change(withEntries(this.#root, list, own));
      else brought = withEntries(brought, list, own);
    }
    return brought;
  }

  #declare(prefix: string, uri: string): void {
    this.#change(`${this.#root} xmlns:${prefix}="${uri}"`);
  }

  #change(root: string): void {
    this.#root = root;
    this.#place = scopeOf(root, ...this.#between);
  }
}

/** The prefixes that an element and its content use. A name without a prefix counts as `""`. */
export function prefixesIn(element: ElementNode): Set<string> {
  const found = new Set<string>();
  collect(element.name, element.attributes, found);
  for (const node of descendants(element)) {
    if (node.kind === "element") collect(node.name, node.attributes, found);
  }
  return found;
}

/** The same in canonical XML. */
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
    for (const entry of entriesOf(value)) found.add(entry.split(":")[0] ?? "");
  }
}

function entriesOf(value: string): string[] {
  return value.split(/\s+/).filter((entry) => entry !== "");
}

/** Adds entries to a list in attributes. */
function withEntries(attributes: string, list: string, entries: readonly string[]): string {
  const before = attributesOf(attributes)[list];
  if (before === undefined) return `${attributes} ${list}="${entries.join(" ")}"`;
  const all = new Set([...entriesOf(before), ...entries]);
  return attributes.replace(` ${list}="${before}"`, () => ` ${list}="${[...all].join(" ")}"`);
}
