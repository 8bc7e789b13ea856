import type { Random } from "../../../../contracts/test/support/random.ts";

/** The names that tags at a place in the template can use. */
export interface Names {
  /** Paths to objects. For the path `""`, the keys of the object are names themselves. */
  readonly nodes: readonly string[];
  /** Paths to strings or numbers. */
  readonly words: readonly string[];
  readonly inLoop: boolean;
}

export const ROOT_NAMES: Names = { nodes: ["", "", "o"], words: [], inLoop: false };

const LITERAL_CONDITIONS = ["true", "1 < 2", '"a" == “a”', "$count(w) > 1", "$sum(ns) >= 2"];

/** Writes the content of tags: paths, computations, conditions. */
export class Expressions {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a condition of a block. */
  condition(names: Names, depth = 0): string {
    const random = this.#random;
    const inner = (): string => this.condition(names, depth + 1);
    switch (random.below(depth > 1 ? 8 : 12)) {
      case 0:
        return `${this.key(names, ["n", "m"])} ${random.pick(["<", "<=", ">", ">=", "=="])} ${random.pick(["1", "2.5", "-1"])}`;
      case 1:
        return `${this.key(names, ["t", "s"])} ${random.pick(["==", "!="])} ${random.pick(['"A"', "“b c”", "'42'"])}`;
      case 2:
        return `${this.key(names, ["t", "w"])} contains "A"`;
      case 3:
        return `${this.key(names, ["t", "o", "l", "gone"])} ${random.pick(["isPresent", "isEmpty"])}`;
      case 4:
        return names.inLoop
          ? random.pick(["$first", "$last", "not $last", "$index == 1", "$number % 2 == 0"])
          : random.pick(LITERAL_CONDITIONS);
      case 8:
        return `not ${inner()}`;
      case 9:
        return `(${inner()} ${random.pick(["or", "||"])} ${inner()})`;
      case 10:
        return `${inner()} ${random.pick(["and", "&&"])} ${inner()}`;
      case 11:
        return `!(${inner()})`;
      default:
        return this.key(names, ["b", "c", "t", "n", "l", "w", "e", "o"]);
    }
  }

  /** Returns a computation. */
  number(names: Names, depth: number): string {
    const random = this.#random;
    const inner = (): string => this.number(names, depth + 1);
    switch (random.below(depth > 1 ? 5 : 8)) {
      case 0:
        return random.pick(["2", "0.5", "1000000"]);
      case 1:
        return this.key(names, ["m"]);
      case 2:
        return names.inLoop ? "$number" : `$count(${this.list(names)})`;
      case 5:
        return `${inner()} ${random.pick(["+", "-", "–", "*"])} ${inner()}`;
      case 6:
        return `(${inner()} ${random.pick(["/", "%"])} 7)`;
      case 7:
        return `-${this.key(names, ["n"])}`;
      default:
        return this.key(names, ["n"]);
    }
  }

  /** Returns a call of a function. */
  function(names: Names): string {
    const list = this.list(names);
    const numbers = this.#random.oneIn(2) ? this.key(names, ["ns"]) : `${this.key(names, ["l"])}.n`;
    const number = this.key(names, ["n"]);
    return this.#random.pick([
      `$join(${list}, ", ", " and ")`,
      `$join(${list})`,
      `$sum(${numbers})`,
      `$average(${numbers})`,
      `$min(${numbers})`,
      `$max(${numbers})`,
      `$count(${list})`,
      `$length(${this.key(names, ["t"])})`,
      `$round(${number}, 2)`,
      `$abs(${number})`,
      `$power(${number}, 2)`,
    ]);
  }

  /** Returns a path to strings. */
  list(names: Names): string {
    const random = this.#random;
    switch (random.below(6)) {
      case 0:
        return `${this.key(names, ["l"])}.t`;
      case 1:
        return this.key(names, ["ns"]);
      case 2:
        return `${this.key(names, ["w"])}${random.pick(["[0]", ".1"])}`;
      default:
        return this.key(names, ["w", "tags"]);
    }
  }

  /** Returns a path to a list; `isWords` is true for a list of strings or numbers. */
  listPath(names: Names): { readonly path: string; readonly isWords: boolean } {
    const isWords = this.#random.oneIn(3);
    const keys = isWords ? ["w", "ns", "tags"] : ["l", "l", "items", "e", "gone"];
    return { path: this.key(names, keys), isWords };
  }

  /** Returns the path to one of these keys in an object that has a name here. */
  key(names: Names, keys: readonly string[]): string {
    const node = this.#random.pick(names.nodes);
    const key = this.#random.pick(keys);
    if (key.includes(" ")) return `${node === "" ? "this" : node}["${key}"]`;
    return node === "" ? key : `${node}.${key}`;
  }
}
