const SCHEMAS = "http://schemas.openxmlformats.org";
const STRICT = "http://purl.oclc.org/ooxml";
const WORD = "http://schemas.microsoft.com/office/word";
const DRAWING = "http://schemas.microsoft.com/office/drawing";

/** The namespaces whose prefixes the compiler depends on, transitional and strict. */
const CORE: readonly (readonly [prefix: string, ...uris: string[]])[] = [
  ["w", `${SCHEMAS}/wordprocessingml/2006/main`, `${STRICT}/wordprocessingml/main`],
  ["r", `${SCHEMAS}/officeDocument/2006/relationships`, `${STRICT}/officeDocument/relationships`],
  ["m", `${SCHEMAS}/officeDocument/2006/math`, `${STRICT}/officeDocument/math`],
  ["a", `${SCHEMAS}/drawingml/2006/main`, `${STRICT}/drawingml/main`],
  ["pic", `${SCHEMAS}/drawingml/2006/picture`, `${STRICT}/drawingml/picture`],
  [
    "wp",
    `${SCHEMAS}/drawingml/2006/wordprocessingDrawing`,
    `${STRICT}/drawingml/wordprocessingDrawing`,
  ],
  ["c", `${SCHEMAS}/drawingml/2006/chart`, `${STRICT}/drawingml/chart`],
  ["dgm", `${SCHEMAS}/drawingml/2006/diagram`, `${STRICT}/drawingml/diagram`],
  ["mc", `${SCHEMAS}/markup-compatibility/2006`],
  ["v", "urn:schemas-microsoft-com:vml"],
  ["o", "urn:schemas-microsoft-com:office:office"],
];

/** Namespaces with a usual prefix. Early versions of Office used some of these prefixes for other namespaces. */
const EXTENSIONS: readonly (readonly [prefix: string, ...uris: string[]])[] = [
  ["w10", "urn:schemas-microsoft-com:office:word"],
  ["wne", `${WORD}/2006/wordml`],
  ["w14", `${WORD}/2010/wordml`],
  ["w15", `${WORD}/2012/wordml`],
  ["w16", `${WORD}/2018/wordml`],
  ["w16cid", `${WORD}/2016/wordml/cid`],
  ["w16cex", `${WORD}/2018/wordml/cex`],
  ["w16se", `${WORD}/2015/wordml/symex`],
  ["wp14", `${WORD}/2010/wordprocessingDrawing`],
  ["wp15", `${WORD}/2012/wordprocessingDrawing`],
  ["wps", `${WORD}/2010/wordprocessingShape`],
  ["wpg", `${WORD}/2010/wordprocessingGroup`],
  ["wpc", `${WORD}/2010/wordprocessingCanvas`],
  ["wpi", `${WORD}/2010/wordprocessingInk`],
  ["a14", `${DRAWING}/2010/main`],
  ["asvg", `${DRAWING}/2016/SVG/main`],
  ["cx", `${DRAWING}/2014/chartex`],
  ["sl", `${SCHEMAS}/schemaLibrary/2006/main`, `${STRICT}/schemaLibrary/main`],
];

const PREFIXES: ReadonlyMap<string, string> = new Map(
  [...CORE, ...EXTENSIONS].flatMap(([prefix, ...uris]) => uris.map((uri) => [uri, prefix])),
);

const CORE_PREFIXES: ReadonlySet<string> = new Set(CORE.map(([prefix]) => prefix));

/** Returns the prefix that Word gives to a namespace, or undefined for one without a usual prefix. */
export function usualPrefix(uri: string): string | undefined {
  return PREFIXES.get(uri);
}

/** Whether a prefix must not be bound to any other namespace. */
export function isReservedPrefix(prefix: string): boolean {
  return CORE_PREFIXES.has(prefix);
}

/** Returns the prefix that an attribute declares (`""` for the default namespace), or null for other attributes. */
export function declaredPrefix(attribute: string): string | null {
  if (attribute === "xmlns") return "";
  return attribute.startsWith("xmlns:") ? attribute.slice("xmlns:".length) : null;
}

/** A parsed name of an element or attribute, and its usual form in one namespace. */
interface KnownName {
  readonly prefix: string;
  readonly local: string;
  uri: string | undefined;
  usual: string;
}

/** Maximum number of parsed names to keep. Parts have about 250 different names. */
const MAX_NAMES = 2_000;

/** The namespaces in scope while a part is read. */
export class NamespaceScope {
  readonly #bound = new Map<string, string | undefined>();
  readonly #hidden: { readonly depth: number; readonly prefix: string; readonly uri?: string }[] =
    [];
  readonly #names = new Map<string, KnownName>();

  /** Adds the declarations in the start tag of an element at `depth`. */
  enter(
    depth: number,
    attributes: readonly { readonly name: string; readonly value: string }[],
  ): void {
    for (const { name, value } of attributes) {
      const prefix = declaredPrefix(name);
      if (prefix === null) continue;
      const uri = this.#bound.get(prefix);
      this.#hidden.push(uri === undefined ? { depth, prefix } : { depth, prefix, uri });
      this.#bound.set(prefix, value);
    }
  }

  /** Removes the declarations of the element at `depth`. */
  leave(depth: number): void {
    for (let last = this.#hidden.at(-1); last?.depth === depth; last = this.#hidden.at(-1)) {
      this.#hidden.pop();
      this.#bound.set(last.prefix, last.uri);
    }
  }

  /** Returns the namespace of a prefix, or undefined when it is not bound. */
  uriOf(prefix: string): string | undefined {
    return this.#bound.get(prefix);
  }

  /**
   * Returns the name of an element with the usual prefix of its namespace, or `""` if the namespace does not have one.
   */
  element(name: string): string {
    const known = this.#known(name);
    const uri = this.#bound.get(known.prefix);
    if (uri !== known.uri) {
      const prefix = uri === undefined ? undefined : PREFIXES.get(uri);
      known.uri = uri;
      known.usual = prefix === undefined ? "" : `${prefix}:${known.local}`;
    }
    return known.usual;
  }

  /** Like {@link element}, for an attribute. Without a prefix, it has no namespace and its name is unchanged. */
  attribute(name: string): string {
    return name.includes(":") ? this.element(name) : name;
  }

  #known(name: string): KnownName {
    const found = this.#names.get(name);
    if (found !== undefined) return found;
    const colon = name.indexOf(":");
    const known = {
      prefix: name.slice(0, Math.max(colon, 0)),
      local: name.slice(colon + 1),
      uri: undefined,
      usual: "",
    };
    if (this.#names.size < MAX_NAMES) this.#names.set(name, known);
    return known;
  }
}
