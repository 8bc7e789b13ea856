/**
 * Collects the ids to which style sheets refer, by every name in a selector. A name may match more elements than its
 * selector, but never fewer.
 */
export class StyleReferences {
  /** The ids by key: `*`, an element name, a class (`.a`) or an id (`#a`). */
  readonly byKey = new Map<string, Set<string>>();

  /** Adds the text of a style sheet. */
  add(css: string): void {
    if (!css.includes("(")) return;
    const rules = css.replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g, " ").split("}");
    for (const rule of rules) {
      const body = rule.lastIndexOf("{");
      const ids = body === -1 ? [] : idsIn(rule.slice(body));
      if (ids.length === 0) continue;
      const selector = rule.slice(rule.lastIndexOf("{", body - 1) + 1, body);
      const names = selector.match(/[.#]?[^\s.#*,>+~:()[\]{}]+|\*/g) ?? ["*"];
      for (const name of names.length === 0 ? ["*"] : names) this.#add(name, ids);
      if (/[[:]/.test(selector)) this.#add("*", ids);
    }
  }

  #add(key: string, ids: readonly string[]): void {
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, new Set(ids));
    else for (const id of ids) known.add(id);
  }
}

/** Returns the ids in each `url(#id)` of a string. */
export function idsIn(text: string): string[] {
  if (!text.includes("(")) return [];
  return [...text.matchAll(/url\(\s{0,100}["']?#([^"')\s]+)/gi)].map(([, id = ""]) => id);
}
