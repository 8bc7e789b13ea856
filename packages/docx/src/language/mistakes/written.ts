/** Patterns for parts of a tag in which the characters between quotes are hidden: see {@link Written}. */
export const NAME = String.raw`[\p{L}_$][\p{L}\p{M}\p{N}_$]*`;
export const PATH = String.raw`${NAME}(?:\.${NAME}|\[\d+\])*`;
export const TEXT = `(?:"_*"|'_*')`;
export const VALUE = String.raw`(?:${PATH}(?:\(\))?|\d+(?:\.\d+)?|${TEXT})`;

/** Compiled patterns by their flags and text. A template may have thousands of invalid tags. */
const COMPILED = new Map<string, RegExp>();
/** More patterns than the corrections have. Some contain a name of the tag. */
const MAX_COMPILED = 2_000;

function compiled(pattern: string, flags: string): RegExp {
  const key = `${flags} ${pattern}`;
  let regex = COMPILED.get(key);
  if (regex === undefined) {
    if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
    regex = new RegExp(pattern, flags);
    COMPILED.set(key, regex);
  }
  return regex;
}

/** The content of a tag. Patterns do not see the characters between its quotes. */
export class Written {
  readonly text: string;
  readonly #masked: string;

  constructor(text: string) {
    this.text = text;
    this.#masked = text.replace(
      /"(?:\\["\\]|[^"])*"|'(?:\\['\\]|[^'])*'/g,
      (quoted) => quoted[0] + "_".repeat(quoted.length - 2) + quoted[0],
    );
  }

  /** Returns the groups of a pattern, as written, or null. A group that is not there is empty. */
  match(pattern: string, flags = ""): readonly string[] | null {
    const found = this.#exec(pattern, flags);
    return found === null ? null : this.#groups(found);
  }

  /**
   * Returns the text with the first match of a pattern replaced for which there is a replacement, or null.
   */
  replace(
    pattern: string,
    replacement: (groups: readonly string[]) => string | null,
    flags = "",
  ): string | null {
    const regex = compiled(pattern, `dgsu${flags}`);
    for (let from = 0; from <= this.#masked.length; ) {
      // The replacement may use the same expression.
      regex.lastIndex = from;
      const found = regex.exec(this.#masked);
      if (found === null) return null;
      const text = replacement(this.#groups(found));
      const end = found.index + found[0].length;
      if (text !== null) return this.text.slice(0, found.index) + text + this.text.slice(end);
      from =
        end > found.index
          ? end
          : end + String.fromCodePoint(this.#masked.codePointAt(end) ?? 0).length;
    }
    return null;
  }

  /** Returns the parts between separators that are outside of quotes and brackets. */
  split(separator: string): readonly string[] {
    const parts: string[] = [];
    const pattern = new RegExp(separator, "uy");
    let [depth, from] = [0, 0];
    for (let at = 0; at < this.#masked.length; at++) {
      const character = this.#masked[at] ?? "";
      if (/[([{]/.test(character)) depth += 1;
      if (/[)\]}]/.test(character)) depth -= 1;
      pattern.lastIndex = at;
      const found = depth === 0 ? pattern.exec(this.#masked) : null;
      if (found === null || found[0] === "") continue;
      parts.push(this.text.slice(from, at).trim());
      from = at + found[0].length;
      at = from - 1;
    }
    return [...parts, this.text.slice(from).trim()];
  }

  /** Returns the index of the bracket that closes the one at an index; -1 if none does. */
  closing(opened: number): number {
    let depth = 0;
    for (let at = opened; at < this.#masked.length; at++) {
      const character = this.#masked[at] ?? "";
      if (/[([]/.test(character)) depth += 1;
      if (/[)\]]/.test(character)) depth -= 1;
      if (depth === 0) return at;
    }
    return -1;
  }

  /** Returns the index of the first match of a pattern, and the index after it, or null. */
  find(pattern: string, flags = ""): readonly [from: number, to: number] | null {
    const found = this.#exec(pattern, flags);
    return found === null ? null : [found.index, found.index + found[0].length];
  }

  /** Returns the index of each match of a pattern, and the index after it. */
  findAll(pattern: string): readonly (readonly [from: number, to: number])[] {
    return [...this.#masked.matchAll(compiled(pattern, "dgu"))].map((found) => [
      found.index,
      found.index + found[0].length,
    ]);
  }

  #exec(pattern: string, flags: string): RegExpExecArray | null {
    return compiled(pattern, `dsu${flags}`).exec(this.#masked);
  }

  #groups({ indices = [] as unknown as RegExpIndicesArray }: RegExpExecArray): readonly string[] {
    return indices.map((place) => (place === undefined ? "" : this.text.slice(...place)));
  }
}
