import { declaredPrefix, isReservedPrefix, usualPrefix } from "./namespaces.ts";

/** Attributes by name. */
export type Attributes = Readonly<Record<string, string>>;

/** A prefix in scope, and the prefix that replaces it. */
interface Binding {
  readonly uri: string;
  readonly usual: string;
}

/** The bindings that a declaration hides until its element ends. */
interface Hidden {
  readonly prefix: string;
  readonly binding: Binding | undefined;
  readonly usual: string;
  readonly uri: string | undefined;
}

const NOTHING_HIDDEN: readonly Hidden[] = [];

const XML: Binding = { uri: "http://www.w3.org/XML/1998/namespace", usual: "xml" };

/**
 * Gives every namespace the prefix that Word gives it, whatever prefix the file uses: some programs write
 * `ns0:document`. `refuse` creates the error for a file in which this is impossible.
 */
export class UsualPrefixes {
  readonly #refuse: (why: string) => Error;
  readonly #bound = new Map<string, Binding | undefined>([["xml", XML]]);
  /** Namespaces by the prefix in the output. */
  readonly #written = new Map<string, string | undefined>([["xml", XML.uri]]);
  readonly #hidden: (readonly Hidden[])[] = [];
  /** The number of prefixes in scope that are replaced, usually 0. */
  #renamed = 0;

  constructor(refuse: (why: string) => Error) {
    this.#refuse = refuse;
  }

  /** Enters an element. Returns its new name and attributes. */
  open(name: string, attributes: Attributes): readonly [string, Attributes] {
    const keys = Object.keys(attributes);
    this.#hidden.push(
      keys.some((key) => key.startsWith("xmlns"))
        ? keys.flatMap((key) => this.#declare(key, attributes[key] ?? ""))
        : NOTHING_HIDDEN,
    );
    const usual = this.#element(name);
    if (this.#renamed === 0) {
      for (const key of keys) this.#attribute(key);
      return [usual, attributes];
    }
    const list: Record<string, string> = Object.create(null);
    for (const key of keys) {
      const written = this.#attribute(key);
      if (written in list && declaredPrefix(written) === null) {
        throw this.#refuse(`an element has the attribute ${written} twice`);
      }
      const value = attributes[key] ?? "";
      list[written] = namesPrefixes(usual, written) ? this.#listed(value) : value;
    }
    return [usual, list];
  }

  /** Leaves the innermost element. */
  close(): void {
    for (const { prefix, binding, usual, uri } of (this.#hidden.pop() ?? []).toReversed()) {
      this.#written.set(usual, uri);
      this.#bind(prefix, binding);
    }
  }

  #declare(name: string, uri: string): Hidden[] {
    const prefix = declaredPrefix(name);
    if (prefix === null) return [];
    const known = usualPrefix(uri);
    const usual = known ?? prefix;
    const other = this.#written.get(usual);
    const binding = this.#bound.get(prefix);
    const isTaken = other !== undefined && other !== uri && binding?.usual !== usual;
    if (isTaken || (known === undefined && isReservedPrefix(prefix))) {
      throw this.#refuse(`it binds the prefix '${usual}' to a different namespace than Word does`);
    }
    this.#written.set(usual, uri);
    this.#bind(prefix, uri === "" ? undefined : { uri, usual });
    return [{ prefix, binding, usual, uri: other }];
  }

  #bind(prefix: string, binding: Binding | undefined): void {
    const before = this.#bound.get(prefix);
    if (before !== undefined && before.usual !== prefix) this.#renamed -= 1;
    if (binding !== undefined && binding.usual !== prefix) this.#renamed += 1;
    this.#bound.set(prefix, binding);
  }

  #element(name: string): string {
    const colon = name.indexOf(":");
    if (colon === -1) {
      const usual = this.#bound.get("")?.usual ?? "";
      return usual === "" ? name : `${usual}:${name}`;
    }
    const usual = this.#usual(name.slice(0, colon));
    return this.#renamed === 0 ? name : usual + name.slice(colon);
  }

  #attribute(name: string): string {
    const declared = declaredPrefix(name);
    if (declared !== null) {
      const usual = this.#bound.get(declared)?.usual ?? declared;
      return usual === "" ? "xmlns" : `xmlns:${usual}`;
    }
    return name.includes(":") ? this.#element(name) : name;
  }

  #usual(prefix: string): string {
    const binding = this.#bound.get(prefix);
    if (binding !== undefined) return binding.usual;
    throw this.#refuse(`its prefix '${prefix}' is not bound to a namespace`);
  }

  /** Translates a value that is a list of prefixes or names. */
  #listed(value: string): string {
    return value.replace(/[^\s:]+(?=:|\s|$)/g, (prefix, at: number) =>
      value.charAt(at - 1) === ":" ? prefix : (this.#bound.get(prefix)?.usual ?? prefix),
    );
  }
}

const PREFIX_LISTS: ReadonlySet<string> = new Set([
  "mc:Ignorable",
  "mc:MustUnderstand",
  "mc:ProcessContent",
  "mc:PreserveElements",
  "mc:PreserveAttributes",
]);

function namesPrefixes(element: string, attribute: string): boolean {
  return PREFIX_LISTS.has(attribute) || (element === "mc:Choice" && attribute === "Requires");
}
