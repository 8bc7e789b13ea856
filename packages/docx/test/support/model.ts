import type { Random } from "../../../contracts/test/support/random.ts";

/**
 * The model of a document without XML: the author's intention. `model.ts` makes random models, `draw.ts`
 * writes them as templates, and `oracle.ts` computes the expected output.
 */

/** A block, row or piece, or a loop or condition around several of the same kind. */
export type Nest<T> = T | Loop<T> | Choice<T>;

export interface Loop<T> {
  readonly kind: "loop";
  readonly word: "for" | "tablerow";
  readonly alias: string;
  readonly list: readonly string[];
  readonly optional: boolean;
  readonly body: readonly Nest<T>[];
}

export interface Choice<T> {
  readonly kind: "choice";
  readonly branches: readonly {
    /** Null for the `else` branch, which is last. */
    readonly condition: Condition | null;
    readonly body: readonly Nest<T>[];
  }[];
}

/** A condition; `text` is its notation. */
export interface Condition {
  readonly text: string;
  readonly test: (get: (path: readonly string[]) => unknown) => boolean;
}

export type Modifier = readonly [name: string, argument?: string];

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "note" }
  | {
      readonly kind: "value";
      readonly path: readonly string[];
      readonly modifiers: readonly Modifier[];
    }
  | { readonly kind: "box"; readonly content: readonly Nest<Block>[] };

export type Block =
  | { readonly kind: "paragraph"; readonly pieces: readonly Nest<Piece>[] }
  | { readonly kind: "table"; readonly rows: readonly Nest<Row>[] };

export interface Row {
  readonly kind: "row";
  readonly cells: readonly (readonly Nest<Block>[])[];
}

/** The names that tags at a place in the template can use, and whether they refer to an object or a string. */
type Names = ReadonlyMap<string, "node" | "word">;

const ALIASES = ["i", "j", "item", "t", "l"];
const STATIC = ["Dear", "a & b", "x<y", "Größe ", " - ", " }", "{ ", "[[sig]]", "日本"];
const TEXTS = ["A", "b c", " x ", "", "l1\nl2", "a\tb\r\nc", "<&>{{", "}}", "{{t}}", "é😀ß", "]]>"];

/**
 * Returns the data: an object with the keys `t n b l w`. Any key may be missing or null; `l` contains more such
 * objects.
 */
export function randomData(random: Random, depth = 0): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const put = (key: string, make: () => unknown): void => {
    if (random.oneIn(6)) return;
    data[key] = random.oneIn(8) ? null : make();
  };
  put("t", () => random.pick(TEXTS));
  put("n", () => random.pick([0, 1, 2, 3, 10, -1.5, 1e21]));
  put("b", () => random.oneIn(2));
  put("w", () => Array.from({ length: random.below(4) }, () => random.pick(TEXTS)));
  put("l", () =>
    Array.from({ length: depth > 2 ? 0 : random.below(4) }, () =>
      random.oneIn(12) ? null : randomData(random, depth + 1),
    ),
  );
  return data;
}

/** Returns a document that starts with a fixed paragraph. */
export function randomDocument(random: Random): readonly Nest<Block>[] {
  const start: Block = { kind: "paragraph", pieces: [{ kind: "text", text: "start" }] };
  return ended([start, ...nests(random, 1, 5, new Map(), new Map(), 0, randomBlock)]);
}

type Maker<T> = (random: Random, names: Names, innermost: Names, depth: number) => T;

/** Returns blocks, rows or pieces, some of them in loops and conditions. */
function nests<T>(
  random: Random,
  min: number,
  max: number,
  names: Names,
  innermost: Names,
  depth: number,
  make: Maker<T>,
): Nest<T>[] {
  return random.several(min, max, (): Nest<T> => {
    random.budget -= 1;
    if (depth > 5 || random.budget < 0 || random.oneIn(2)) {
      return make(random, names, innermost, depth);
    }
    const least = random.oneIn(12) ? 0 : 1;
    if (random.oneIn(2)) {
      const { list, sort } = randomList(random, names);
      const alias = random.pick(ALIASES);
      const own = new Map([[alias, sort]]);
      const body = nests(random, least, 3, new Map([...names, ...own]), own, depth + 1, make);
      return { kind: "loop", word: "for", alias, list, optional: random.oneIn(2), body };
    }
    const branches = random.several(1, 3, () => ({
      condition: randomCondition(random, names),
      body: nests(random, least, 2, names, innermost, depth + 1, make),
    }));
    if (random.oneIn(2)) {
      const body = nests(random, least, 2, names, innermost, depth + 1, make);
      return { kind: "choice", branches: [...branches, { condition: null, body }] };
    }
    return { kind: "choice", branches };
  });
}

function randomBlock(random: Random, names: Names, innermost: Names, depth: number): Block {
  if (depth < 5 && random.budget > 0 && random.oneIn(4)) {
    const rows = nests(random, 1, 4, names, innermost, depth + 1, randomRow);
    return { kind: "table", rows: rows.map((row) => withTablerows(random, row)) };
  }
  const pieces = nests(random, 0, 5, names, innermost, depth + 1, randomPiece);
  return { kind: "paragraph", pieces };
}

function randomRow(random: Random, names: Names, innermost: Names, depth: number): Row {
  const text = (): Block => ({ kind: "paragraph", pieces: [{ kind: "text", text: "cell" }] });
  const cells = random.several(1, 3, () =>
    random.oneIn(2) ? [text()] : nests(random, 1, 3, names, innermost, depth + 1, randomBlock),
  );
  const [first = [], ...others] = cells;
  return { kind: "row", cells: [[text(), ...first], ...others].map(ended) };
}

/** Turns some loops over rows into `tablerow`, whose tags are in the repeated rows. */
function withTablerows(random: Random, nest: Nest<Row>): Nest<Row> {
  if (nest.kind === "row") return nest;
  if (nest.kind === "choice") {
    const branches = nest.branches.map((branch) => ({
      ...branch,
      body: branch.body.map((each) => withTablerows(random, each)),
    }));
    return { kind: "choice", branches };
  }
  const body = nest.body.map((each) => withTablerows(random, each));
  const inRows = body[0]?.kind === "row" && body.at(-1)?.kind === "row";
  return { ...nest, body, word: inRows && !random.oneIn(3) ? "tablerow" : "for" };
}

/** Returns valid content of a cell, header or text box: a table must not be last. */
function ended(blocks: readonly Nest<Block>[]): readonly Nest<Block>[] {
  const end: Block = { kind: "paragraph", pieces: [] };
  return blocks.at(-1)?.kind === "table" ? [...blocks, end] : blocks;
}

function randomPiece(random: Random, names: Names, innermost: Names, depth: number): Piece {
  if (random.oneIn(30)) return { kind: "note" };
  if (random.budget > 0 && depth < 4 && random.oneIn(25)) {
    const content = nests(random, 1, 3, names, innermost, depth + 1, randomBlock);
    return { kind: "box", content: ended(content) };
  }
  if (random.oneIn(3)) return { kind: "text", text: random.pick(STATIC) };
  const path = randomValue(random, names);
  const modifiers: Modifier[] = [];
  const fallback = random.below(8);
  if (fallback < 2) modifiers.push(["optional"]);
  if (fallback === 2) modifiers.push(["default", random.pick(["n/a", "é <&> }", ""])]);
  if (random.oneIn(3)) {
    modifiers.push([random.pick(["uppercase", "lowercase", "capitalize", "trim"])]);
  }
  const [word] = path;
  if (path.length === 1 && innermost.get(word ?? "") === "word" && random.oneIn(2)) {
    modifiers.push(["delimiter", ", "]);
    if (random.oneIn(2)) modifiers.push(["lastdelimiter", " and "]);
  }
  return { kind: "value", path, modifiers };
}

function randomValue(random: Random, names: Names): readonly string[] {
  const words = [...names].filter(([, sort]) => sort === "word").map(([name]) => name);
  if (words.length > 0 && random.oneIn(2)) return [random.pick(words)];
  return [...randomNode(random, names, ["t", "n", "b"]), random.pick(["t", "n", "b"])].slice(-2);
}

function randomList(
  random: Random,
  names: Names,
): { readonly list: readonly string[]; readonly sort: "node" | "word" } {
  const sort = random.oneIn(3) ? "word" : "node";
  const key = sort === "word" ? "w" : "l";
  return { list: [...randomNode(random, names, [key]), key], sort };
}

/** Returns the path of an object: the name of a loop, or the root if no loop name hides its keys. */
function randomNode(random: Random, names: Names, keys: readonly string[]): readonly string[] {
  const nodes = [...names].filter(([, sort]) => sort === "node").map(([name]) => name);
  const hidden = keys.some((key) => names.has(key));
  if (nodes.length > 0 && (hidden || !random.oneIn(3))) return [random.pick(nodes)];
  return hidden ? ["none"] : [];
}

function randomCondition(random: Random, names: Names): Condition {
  const node = randomNode(random, names, ["t", "n", "b", "l", "w"]);
  const simple = (): Condition => {
    const key = random.pick(["t", "n", "b", "l", "w"]);
    const path = [...node, key];
    const text = path.join(".");
    const kind = random.below(5);
    if (kind === 0 && key === "n") {
      return { text: `${text} > 1`, test: (get) => Number(get(path) ?? Number.NaN) > 1 };
    }
    if (kind === 1 && key === "t") {
      return { text: `${text} == “A”`, test: (get) => get(path) === "A" };
    }
    if (kind === 2) {
      return { text: `${text} isPresent`, test: (get) => (get(path) ?? null) !== null };
    }
    return { text, test: (get) => isTrue(get(path)) };
  };
  const first = simple();
  if (random.oneIn(5)) return { text: `not ${first.text}`, test: (get) => !first.test(get) };
  if (random.oneIn(5)) {
    const second = simple();
    return {
      text: `(${first.text} or ${second.text})`,
      test: (get) => first.test(get) || second.test(get),
    };
  }
  return first;
}

/**
 * Whether a value counts as true by the specification: it is present, and is not false, 0, an empty string or an empty
 * list.
 */
function isTrue(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return value !== false && value !== 0 && value !== "" && !(Array.isArray(value) && !value.length);
}
