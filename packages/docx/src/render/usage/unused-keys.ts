import { nearest, pointerOf } from "@quire/contracts";
import { didYouMean } from "../../language/mistakes/suggest.ts";
import type { Diagnostics } from "../evaluate/context/document-diagnostics.ts";
import type { RenderData } from "../evaluate/context/scope.ts";
import type { Usage } from "./places.ts";

/** Warns about each key of the data that no tag uses, once for all elements of a list. */
export function reportUnused(data: RenderData, usage: Usage, diagnostics: Diagnostics): void {
  new UnusedKeys(data, usage, diagnostics).object(data, usage);
}

/** Number of values that the search for a used key looks at. */
const MAX_LOOKS = 10_000;

/** Returns whether the data has a key at one of the places where tags use it. Looks at the first values. */
function findsKey(key: string, data: unknown, usage: Usage): boolean {
  let looks = 0;
  const finds = (value: unknown, at: Usage): boolean => {
    looks += 1;
    if (looks > MAX_LOOKS || typeof value !== "object" || value === null) return false;
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).some((item) => finds(item, at));
    if (at.keys.has(key) && Object.hasOwn(value, key)) return true;
    return [...at.keys].some(([name, inner]) =>
      Object.hasOwn(value, name) ? finds((value as Record<string, unknown>)[name], inner) : false,
    );
  };
  return finds(data, usage);
}

/** Number of items of each list that the search for a used key looks at. */
const MAX_ITEMS = 50;

/** Maximum number of names to search for a suggestion. */
const MAX_WANTED = 500;

/** Maximum number of unused keys reported. */
const MAX_REPORTED = 100;

/** The search stops after this number of unused keys, of which the first hundred are reported. */
const MAX_UNUSED = 1000;

/** Deeper data is not worth reporting, and may be infinitely deep. */
const MAX_DEPTH = 500;

/** The uses of an object's keys, in order, or null for a key whose value is not searched. */
interface Layout {
  readonly keys: string[];
  readonly uses: (Usage | "unused" | null)[];
}

/** Whether a value has nothing to print: `[]`, as at the ends of a tree. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

class UnusedKeys {
  readonly #diagnostics: Diagnostics;
  /** The objects of a list usually have their keys in the same order. */
  readonly #layouts = new Map<Usage, Layout>();
  readonly #path: (string | number)[] = [];
  readonly #reported = new Map<Usage, Set<string>>();
  readonly #data: RenderData;
  readonly #usage: Usage;
  readonly #found = new Map<string, boolean>();
  #count = 0;

  constructor(data: RenderData, usage: Usage, diagnostics: Diagnostics) {
    this.#data = data;
    this.#usage = usage;
    this.#diagnostics = diagnostics;
  }

  object(object: object, usage: Usage): void {
    if (usage.whole || this.#count > MAX_UNUSED) return;
    let layout = this.#layouts.get(usage);
    if (layout === undefined) {
      layout = { keys: [], uses: [] };
      this.#layouts.set(usage, layout);
    }
    let at = -1;
    // A list may contain a million objects, and Object.keys() would create an array for each.
    for (const key in object) {
      at += 1;
      if (layout.keys[at] !== key) {
        layout.keys[at] = key;
        layout.uses[at] = Object.hasOwn(object, key) ? this.#useOf(usage, key) : null;
      }
      const use = layout.uses[at] as Layout["uses"][number];
      if (use === null) continue;
      const value: unknown = (object as Record<string, unknown>)[key];
      this.#path.push(key);
      if (use !== "unused") this.#value(value, use);
      else if (value !== undefined && !isEmptyList(value)) {
        this.#report(key, object, usage);
        layout.uses[at] = null;
      }
      this.#path.pop();
    }
  }

  /**
   * Returns how a key is used, or null if its value need not be searched. A value that is only tested, or repeated
   * without using its items, counts as used.
   */
  #useOf(usage: Usage, key: string): Layout["uses"][number] {
    const inner = usage.keys.get(key);
    if (inner === undefined) return this.#isReported(usage, key) ? null : "unused";
    return inner.whole || inner.keys.size === 0 ? null : inner;
  }

  #isReported(usage: Usage, key: string): boolean {
    return this.#reported.get(usage)?.has(key) === true;
  }

  #value(value: unknown, usage: Usage): void {
    if (typeof value !== "object" || value === null || value instanceof Date) return;
    if (!Array.isArray(value)) {
      this.object(value, usage);
      return;
    }
    if (this.#path.length > MAX_DEPTH) return;
    for (let index = 0; index < value.length; index++) {
      this.#path.push(index);
      this.#value(value[index], usage);
      this.#path.pop();
    }
  }

  #report(key: string, object: object, usage: Usage): void {
    this.#count += 1;
    const reported = this.#reported.get(usage) ?? new Set();
    this.#reported.set(usage, reported.add(key));
    const path = this.#path;
    const name = path.filter((each) => typeof each === "string").join(".");
    // Keys above this limit are not reported.
    const near = this.#count > MAX_REPORTED ? null : this.#near(key, object, usage);
    const around = name.slice(0, name.length - key.length);
    const below = path.length === 1 ? this.#below(key) : null;
    const hint =
      below === null
        ? near && didYouMean(around + near, name)
        : `If '${below}' in the template means it, write '${key}' there.`;
    this.#diagnostics.addToData({
      severity: "warning",
      code: "unused_value",
      message: `The tag '${name}' was provided but not used in the template.`,
      ...(hint === null ? {} : { hint }),
      pointer: pointerOf(path),
    });
  }

  /**
   * Returns a name like an unused key that tags use and that has no value. Keys that consist of digits are ignored,
   * because they mean elements of lists.
   */
  #near(key: string, object: object, usage: Usage): string | null {
    const wanted = [...usage.keys.keys()].filter(
      (each) => !Object.hasOwn(object, each) && !/^\d+$/.test(each) && !each.endsWith(`.${key}`),
    );
    const near = nearest(key, wanted.slice(0, MAX_WANTED));
    return near === null || this.#isElsewhere(near, usage) ? null : near;
  }

  /** Returns a path of the template that ends with an unused key and has no value, such as `p.paid`; otherwise null. */
  #below(key: string): string | null {
    const path = [...this.#usage.keys.keys()]
      .slice(0, MAX_WANTED)
      .find((name) => name.endsWith(`.${key}`));
    return path === undefined || findsKey(key, this.#data, this.#usage) ? null : path;
  }

  /** Whether a name of the template means a key that the data has at another place. */
  #isElsewhere(name: string, usage: Usage): boolean {
    if (usage.keys.get(name)?.isEither !== true) return false;
    const found = this.#found.get(name) ?? findsKey(name, this.#data, this.#usage);
    this.#found.set(name, found);
    return found;
  }
}
