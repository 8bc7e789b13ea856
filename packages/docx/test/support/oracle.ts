import type { Block, Choice, Loop, Modifier, Nest, Piece, Row } from "./model.ts";

/** Pieces of text, each with the number of its formatting. */
export type Line = readonly (readonly [text: string, format: number])[];

/** The visible content: paragraphs (with their anchored text boxes) and tables. */
export type Seen =
  | { readonly line: Line; readonly boxes: readonly (readonly Seen[])[] }
  | { readonly table: readonly (readonly (readonly Seen[])[])[] };

interface Scope {
  readonly alias: string;
  readonly item: unknown;
  readonly index: number;
  readonly length: number;
  readonly outer: Scope | null;
}

/** Computes the expected output of a document by the rules of the specification, without XML. */
export class Oracle {
  /** The names of missing values. */
  readonly missing = new Set<string>();
  readonly #data: unknown;
  readonly #formatOf: (piece: object, character: number) => number;

  constructor(data: unknown, formatOf: (piece: object, character: number) => number) {
    this.#data = data;
    this.#formatOf = formatOf;
  }

  /** Returns the content of a body or header. */
  story(blocks: readonly Nest<Block>[], scope: Scope | null = null): Seen[] {
    const seen: Seen[] = [];
    this.#play(blocks, scope, (block, inner) => {
      const shown =
        block.kind === "table" ? this.#table(block, inner) : this.#paragraph(block, inner);
      if (shown !== null) seen.push(shown);
    });
    return seen;
  }

  /** Returns the content of a header, cell or text box, which always ends in a paragraph. */
  container(blocks: readonly Nest<Block>[], scope: Scope | null = null): Seen[] {
    const seen = this.story(blocks, scope);
    const last = seen.at(-1);
    if (last === undefined || "table" in last) seen.push({ line: [], boxes: [] });
    return seen;
  }

  #table(table: Extract<Block, { kind: "table" }>, scope: Scope | null): Seen | null {
    const rows: Seen[][][] = [];
    this.#play(table.rows, scope, (row: Row, inner) => {
      rows.push(row.cells.map((cell) => this.container(cell, inner)));
    });
    return rows.length === 0 ? null : { table: rows };
  }

  /** Returns the content of a paragraph, or null if it contains only blocks without output and is removed. */
  #paragraph(paragraph: Extract<Block, { kind: "paragraph" }>, scope: Scope | null): Seen | null {
    const line: [string, number][] = [];
    const boxes: Seen[][] = [];
    this.#play(paragraph.pieces, scope, (piece, inner) => {
      if (piece.kind === "box") boxes.push(this.container(piece.content, inner));
      if (piece.kind === "text") {
        for (const [at, character] of [...piece.text].entries()) {
          line.push([character, this.#formatOf(piece, at)]);
        }
      }
      if (piece.kind === "value") line.push([this.#value(piece, inner), this.#formatOf(piece, 0)]);
    });
    const shown = merged(line);
    const blocks = paragraph.pieces.filter(({ kind }) => kind === "loop" || kind === "choice");
    const others = paragraph.pieces.length - blocks.length;
    const notes = paragraph.pieces.filter(({ kind }) => kind === "note").length;
    const onlyTags = blocks.length + notes > 0 && others === notes;
    if (onlyTags && shown.length === 0 && boxes.length === 0) return null;
    return { line: shown, boxes };
  }

  #value({ path, modifiers }: Extract<Piece, { kind: "value" }>, scope: Scope | null): string {
    const value = this.#get(path, scope);
    const fallback = modifiers.find(([name]) => name === "default" || name === "optional");
    if (value === undefined && fallback === undefined) {
      this.missing.add(path.join("."));
      return writtenValue(path, modifiers);
    }
    let text = value === undefined ? (fallback?.[1] ?? "") : print(value);
    let delimiter = "";
    for (const [name, argument = ""] of modifiers) {
      if (name === "uppercase") text = text.toUpperCase();
      if (name === "lowercase") text = text.toLowerCase();
      if (name === "capitalize") text = text.replace(/^./su, (first) => first.toUpperCase());
      if (name === "trim") text = text.trim();
      if (scope === null || scope.index === scope.length - 1) continue;
      if (name === "delimiter") delimiter = argument;
      if (name === "lastdelimiter" && scope.index === scope.length - 2) delimiter = argument;
    }
    return (text + delimiter).replace(/\r\n?/g, "\n");
  }

  #play<T extends { readonly kind: string }>(
    nests: readonly Nest<T>[],
    scope: Scope | null,
    show: (thing: T, scope: Scope | null) => void,
  ): void {
    for (const nest of nests) {
      if (isLoop(nest)) {
        const list = this.#get(nest.list, scope);
        if (list === undefined && !nest.optional) this.missing.add(nest.list.join("."));
        const items = Array.isArray(list) ? list : [];
        const { alias } = nest;
        for (const [index, item] of items.entries()) {
          const inner = { alias, item, index, length: items.length, outer: scope };
          this.#play(nest.body, inner, show);
        }
      } else if (isChoice(nest)) {
        const get = (path: readonly string[]): unknown => this.#get(path, scope);
        const chosen = nest.branches.find(
          ({ condition }) => condition === null || condition.test(get),
        );
        this.#play(chosen?.body ?? [], scope, show);
      } else show(nest, scope);
    }
  }

  #get([head = "", ...rest]: readonly string[], scope: Scope | null): unknown {
    let at = scope;
    while (at !== null && at.alias !== head) at = at.outer;
    let value = at === null ? own(this.#data, head) : at.item;
    for (const key of rest) value = own(value, key);
    return value ?? undefined;
  }
}

/** True if a nest is a loop. */
export function isLoop<T extends { readonly kind: string }>(nest: Nest<T>): nest is Loop<T> {
  return nest.kind === "loop";
}

/** True if a nest is a condition. */
export function isChoice<T extends { readonly kind: string }>(nest: Nest<T>): nest is Choice<T> {
  return nest.kind === "choice";
}

/** Returns a value tag as an author writes it. */
export function writtenValue(path: readonly string[], modifiers: readonly Modifier[]): string {
  const calls = modifiers.map(([name, argument]) =>
    argument === undefined ? name : `${name}("${argument}")`,
  );
  return `{{${[path.join("."), calls.join(", ")].filter((part) => part !== "").join(" :: ")}}}`;
}

/** Joins adjacent pieces of text with the same formatting and drops empty pieces. */
export function merged(line: Line): Line {
  const joined: [string, number][] = [];
  for (const [text, format] of line) {
    const last = joined.at(-1);
    if (last !== undefined && last[1] === format) last[0] += text;
    else if (text !== "") joined.push([text, format]);
  }
  return joined;
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function print(value: unknown): string {
  return value === 1e21 ? "1000000000000000000000" : String(value);
}
