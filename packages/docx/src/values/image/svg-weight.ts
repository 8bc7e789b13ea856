import { idsIn, StyleReferences } from "./svg-styles.ts";

/** An attribute. Its name has no prefix. */
interface GivenAttribute {
  readonly name: string;
  readonly value: string;
}

/**
 * The cost of drawing an SVG, in plain elements. A referenced element counts each time it is drawn, because nested
 * `use`, patterns and masks turn a few elements into billions.
 */
export class SvgWeight {
  readonly #root = new Holder();
  readonly #byId = new Map<string, [Holder, Holder?]>();
  /** The targets of references in style sheets, by the class, id or name of the styled elements. */
  readonly #byStyle = new Map<string, Holder>();
  readonly #styles = new StyleReferences();
  /** The holder that each open element belongs to. */
  readonly #open: Holder[] = [];

  /** Begins an element. Its name has no prefix. */
  open(name: string, attributes: readonly GivenAttribute[]): void {
    const outer = this.#open.at(-1) ?? this.#root;
    const id = attributes.find((attribute) => attribute.name === "id")?.value;
    const holder = id === undefined ? outer : this.#holder(id, outer);
    this.#open.push(holder);
    holder.own += weightOf(name, attributes);
    const classes = attributes.find((attribute) => attribute.name === "class")?.value ?? "";
    for (const key of ["*", name, id === undefined ? "" : `#${id}`, ...classNames(classes)]) {
      holder.keys.set(key, (holder.keys.get(key) ?? 0) + 1);
    }
    for (const attribute of attributes) this.#attribute(name, attribute, holder);
  }

  #attribute(element: string, { name, value }: GivenAttribute, holder: Holder): void {
    holder.own += value.length / CHARACTERS;
    if (LAYERS.test(name) || (name === "style" && LAYERS_IN_STYLE.test(value))) holder.own += LAYER;
    if (name === "href" && element === "use") holder.uses.push(value.trim().slice(1));
    holder.refers.push(...idsIn(value));
  }

  close(): void {
    this.#open.pop();
  }

  text(length: number): void {
    const holder = this.#open.at(-1);
    if (holder !== undefined) holder.own += length / LETTERS;
  }

  /** Adds the text of a style sheet. */
  style(css: string): void {
    this.#styles.add(css);
  }

  /** Returns the cost of everything that is drawn, or infinity if an element uses itself. */
  total(): number {
    for (const [key, ids] of this.#styles.byKey) {
      const holder = new Holder();
      holder.refers.push(...ids);
      this.#byStyle.set(key, holder);
    }
    // Not recursive, because references may form a chain of a hundred thousand.
    const open: Holder[] = [this.#root];
    for (let holder = open.at(-1); holder !== undefined; holder = open.at(-1)) {
      if (holder.total === null && holder.edges === null) {
        holder.edges = this.#edgesOf(holder);
        for (const { to } of holder.edges) if (to.edges === null) open.push(to);
        continue;
      }
      open.pop();
      holder.total ??= holder.sum();
    }
    return this.#root.total ?? 0;
  }

  #edgesOf({ within, uses, refers, keys }: Holder): Edge[] {
    const find = (id: string): readonly Holder[] =>
      this.#byId.get(id)?.filter((each) => each !== undefined) ?? [];
    const edges: Edge[] = within.map((to) => ({ to, times: 1, isUse: false }));
    for (const id of uses) edges.push(...find(id).map((to) => ({ to, times: 1, isUse: true })));
    for (const id of refers) edges.push(...find(id).map((to) => ({ to, times: 1, isUse: false })));
    for (const [key, times] of keys) {
      const to = this.#byStyle.get(key);
      if (to !== undefined) edges.push({ to, times, isUse: false });
    }
    return edges;
  }

  #holder(id: string, outer: Holder): Holder {
    const holder = new Holder();
    outer.within.push(holder);
    const same = this.#byId.get(id);
    if (same === undefined) this.#byId.set(id, [holder]);
    // If several elements have the same id, some programs use the first one, others the last.
    else same[1] = holder;
    return holder;
  }
}

interface Edge {
  readonly to: Holder;
  readonly times: number;
  readonly isUse: boolean;
}

/** An element with an id, and those of its descendants that do not have one. */
class Holder {
  own = 0;
  readonly within: Holder[] = [];
  /** The ids in the `href` of its `use` elements. */
  readonly uses: string[] = [];
  /** The ids in `url(#id)`, for example of paints and masks. */
  readonly refers: string[] = [];
  /** How many of its elements have each name, class or id, as written in style sheets. */
  readonly keys = new Map<string, number>();
  edges: Edge[] | null = null;
  total: number | null = null;

  sum(): number {
    let sum = this.own;
    for (const { to, times, isUse } of this.edges ?? []) {
      // Renderers skip a paint that refers to itself.
      sum += times * (to.total ?? (isUse ? Number.POSITIVE_INFINITY : 0));
    }
    return sum;
  }
}

/**
 * Number of characters in attributes (mostly of paths), and number of letters of text, that weigh as much as an
 * element.
 */
const CHARACTERS = 256;
const LETTERS = 64;

/** A layer, which is drawn separately and then composited. */
const LAYER = 32;

/** A filter primitive, which processes all pixels. */
const FILTER = 100;

/** An octave of noise, which processes all pixels slowly. */
const OCTAVE = 10_000;

function weightOf(name: string, attributes: readonly GivenAttribute[]): number {
  if (name !== "feTurbulence") return name.startsWith("fe") ? FILTER : 1;
  const octaves = Number(attributes.find((each) => each.name === "numOctaves")?.value ?? 1);
  return OCTAVE * (octaves >= 1 ? octaves : 1);
}

const LAYERS = /^(?:opacity|mask|clip-path|filter)$/;
const LAYERS_IN_STYLE = /(?:^|[;\s])(?:opacity|mask|clip-path|filter|mix-blend-mode)\s*:/;

function classNames(classes: string): string[] {
  return classes.split(/\s+/).flatMap((name) => (name === "" ? [] : [`.${name}`]));
}
