import { declaredPrefix, NamespaceScope } from "./namespaces.ts";
import { type ScannedName, shown } from "./scan-names.ts";
import type { ScannedAttribute } from "./scan-tag.ts";

/** The names in a start tag. */
interface NamedTag {
  readonly element: ScannedName;
  /** The names of its attributes: the first `count` of these. */
  readonly names: readonly ScannedName[];
  readonly count: number;
  /** Whether two of its attributes may have the same name. */
  readonly mayRepeat: boolean;
  readonly declares: boolean;
  readonly depth: number;
  readonly empty: boolean;
  readonly attributes: () => readonly ScannedAttribute[];
}

const XML = "http://www.w3.org/XML/1998/namespace";
const XMLNS = "http://www.w3.org/2000/xmlns/";

/** Checks the names in a part against the namespaces that it declares, tag by tag. */
export class NamespaceCheck {
  readonly #scope = new NamespaceScope();
  /** The depths of the open elements with declarations. */
  readonly #declaring: number[] = [];
  /** Changes whenever the namespaces in scope change. */
  #state = 0;

  constructor() {
    const always = { xml: XML, xmlns: XMLNS };
    this.#scope.enter(
      -1,
      Object.entries(always).map(([prefix, value]) => ({ name: `xmlns:${prefix}`, value })),
    );
  }

  /**
   * Enters an element. Returns the problem with the element's names, as the start of a message that ends with the
   * position, or null if they are valid.
   */
  enter(tag: NamedTag): string | null {
    const { element, names, count, depth } = tag;
    if (tag.declares) {
      const attributes = tag.attributes();
      const wrong = attributes.find(({ name, value }) => isWrongDeclaration(name, value));
      if (wrong !== undefined) return "declares a namespace that may not have this prefix";
      this.#scope.enter(depth, attributes);
      this.#declaring.push(depth);
      this.#state += 1;
    }
    if (element.prefix === "xmlns") return "has an element with the prefix 'xmlns'";
    if (element.prefix !== "" && !this.#isBound(element)) return unbound(element);
    for (let index = 0; index < count; index += 1) {
      const name = names[index] as ScannedName;
      if (name.prefix !== "" && !this.#isBound(name)) return unbound(name);
    }
    const repeated = tag.mayRepeat ? this.#repeated(names.slice(0, count)) : null;
    if (repeated !== null) return `has the attribute ${shown(repeated.text)} twice`;
    if (tag.empty) this.leave(depth);
    return null;
  }

  /** Leaves the element at a depth. */
  leave(depth: number): void {
    if (this.#declaring.at(-1) !== depth) return;
    this.#declaring.pop();
    this.#scope.leave(depth);
    this.#state += 1;
  }

  #isBound(name: ScannedName): boolean {
    if (name.bound === this.#state) return true;
    if (this.#scope.uriOf(name.prefix) === undefined) return false;
    name.bound = this.#state;
    return true;
  }

  /**
   * Returns a name that two attributes share once their prefixes are resolved to namespaces, or null.
   */
  #repeated(names: readonly ScannedName[]): ScannedName | null {
    const seen = new Set<string>();
    for (const name of names) {
      const { prefix, text } = name;
      const uri = prefix === "" ? "" : (this.#scope.uriOf(prefix) ?? "");
      const whole = JSON.stringify([uri, text.slice(text.indexOf(":") + 1)]);
      if (seen.has(whole)) return name;
      seen.add(whole);
    }
    return null;
  }
}

function isWrongDeclaration(name: string, uri: string): boolean {
  const prefix = declaredPrefix(name);
  if (prefix === null) return false;
  if (prefix === "xmlns" || uri === XMLNS) return true;
  if ((prefix === "xml") !== (uri === XML)) return true;
  return prefix !== "" && uri === "";
}

function unbound({ prefix }: ScannedName): string {
  return `has a name with the prefix '${shown(prefix)}', which it does not declare,`;
}
