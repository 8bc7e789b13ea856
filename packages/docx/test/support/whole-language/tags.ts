import type { Random } from "../../../../contracts/test/support/random.ts";
import { Expressions, type Names, ROOT_NAMES } from "./expressions.ts";

/** The tags of a block, and the names within it. `middles` are its other tags, in order. */
export interface BlockTags {
  readonly open: string;
  readonly middles: readonly string[];
  readonly close: string;
  readonly inner: Names;
}

const TEXT_MODIFIERS = [
  "uppercase",
  "lowercase",
  "capitalize",
  "trim",
  "truncate(3)",
  'truncate(5, "…")',
  "text",
];
const NUMBER_MODIFIERS = [
  'number("#,##0.00")',
  "number(2)",
  "number",
  'currency("EUR")',
  'currency("JPY")',
  "percent(1)",
  'format("US-Number")',
  'format("EU-Number")',
];
const DATE_MODIFIERS = [
  'format("dd-mm-yyyy")',
  'format("dd-mmm-yy")',
  'format("EEEE d MMMM yyyy")',
  'format("yyyy-MM-dd HH:mm:ss")',
  "format(\"d 'of' MMMM, hh:mm a\")",
];
const PICTURE_MODIFIERS = ['width("2cm")', 'height("1cm")', 'fit("cover")', 'fit("stretch")'];

/** Writes tags of the language in all notations. */
export class Tags {
  readonly #random: Random;
  readonly #start: string;
  readonly #end: string;
  readonly #say: Expressions;

  constructor(random: Random, start: string, end: string) {
    this.#random = random;
    this.#start = start;
    this.#end = end;
    this.#say = new Expressions(random);
  }

  tag(content: string): string {
    const space = this.#random.oneIn(6) ? " " : "";
    return `${this.#start}${space}${content}${space}${this.#end}`;
  }

  /** Returns a tag that prints something in a paragraph. */
  value(names: Names): string {
    const random = this.#random;
    switch (random.below(26)) {
      case 0:
      case 1:
        return this.#valueTag(
          this.#say.key(names, ["h"]),
          random.pick([[], [], ["html"], ["text"], ["html", "uppercase"]]),
        );
      case 2:
        return this.#valueTag(this.#say.key(names, ["md"]), ["markdown"]);
      case 3:
        return this.#valueTag(
          this.#say.key(names, ["u"]),
          random.pick([["link"], ['link("go")'], []]),
        );
      case 4:
        return this.#valueTag(
          this.#say.key(names, ["pic"]),
          random.oneIn(2) ? [] : [random.pick(PICTURE_MODIFIERS)],
        );
      case 5:
        return this.#valueTag(this.#say.key(names, ["b", "c", "w"]), ["checkbox"]);
      case 6:
      case 7:
        return this.#valueTag(
          this.#say.number(names, 0),
          random.oneIn(2) ? [] : [random.pick(NUMBER_MODIFIERS)],
        );
      case 8:
        return this.#valueTag(this.#say.function(names), []);
      case 9:
        return this.#valueTag(
          this.#say.list(names),
          random.oneIn(2) ? [] : ['delimiter("; ")', 'lastdelimiter(" & ")'],
        );
      case 10:
        return this.#valueTag(this.#say.key(names, ["d"]), [random.pick(DATE_MODIFIERS)]);
      case 11:
        return this.#valueTag(this.#say.key(names, ["gone", "tt"]), []);
      case 14:
        return this.#valueTag(this.#say.key(names, ["phone", "t"]), ['format("xxx-xxxx")']);
      case 12:
        if (random.oneIn(20)) {
          const code = random.pick(["qrcode", 'barcode("code128")']);
          return this.#valueTag(this.#say.key(names, ["t"]), [code, "optional"]);
        }
        return this.tag("! a note");
      case 13:
        if (names.inLoop)
          return this.tag(random.pick(["$index", "$number", "$first", "$last", "$length"]));
    }
    return this.plain(names);
  }

  /** Returns a tag that chooses the style of its paragraph, and perhaps continues or restarts its list. */
  style(names: Names): string {
    const random = this.#random;
    const condition = this.#say.condition(names, 2);
    const style = random.pick([
      `style($if(${condition}, "Step", "Substep"))`,
      `style($if(${condition}, "Substep", "Heading 1"))`,
      `style("Step"), when(${condition})`,
      `style("Heading 1"), when(${condition})`,
    ]);
    const more = random.pick(["", "", "", ', numbering("continue")', ', numbering("restart")']);
    return this.tag(`paragraph :: ${style}${more}`);
  }

  /** Returns a tag that may print paragraphs and tables. */
  rich(names: Names): string {
    return this.#valueTag(this.#say.key(names, ["h"]), []);
  }

  /** Returns a tag that prints a string anywhere. */
  plain(names: Names): string {
    const random = this.#random;
    const modifiers = random.oneIn(3) ? [random.pick(TEXT_MODIFIERS)] : [];
    const isWord = names.words.length > 0 && random.oneIn(2);
    if (isWord && random.oneIn(2)) {
      modifiers.push('delimiter(", ")');
      if (random.oneIn(2)) modifiers.push("lastdelimiter(“ and ”)");
    }
    if (isWord) return this.#valueTag(random.pick(names.words), modifiers);
    return this.#valueTag(
      this.#say.key(names, ["t", "s", "name", "n", "b", "d", "first name"]),
      modifiers,
    );
  }

  /** Returns a tag that merges its cell with the ones beside it. */
  across(names: Names): string {
    const key = this.#random.pick(["", "", `(${this.#say.key(names, ["t", "n"])})`]);
    return this.#valueTag(this.#say.key(names, ["t", "n", "b"]), [`mergeAcross${key}`]);
  }

  /** Returns a tag that makes its cell cover the ones to its right. */
  span(names: Names): string {
    const count = this.#random.pick(["1", "2", "3", this.#say.key(names, ["n"])]);
    return this.tag(`cell :: span(${count})`);
  }

  /** Returns a tag that sets the width of its column. */
  columnWidth(names: Names): string {
    const random = this.#random;
    const own = `$concat($abs(${this.#say.key(names, ["n"])}), "mm")`;
    const width = random.pick(['"3cm"', '"25mm"', '"40%"', '""', own]);
    const when = random.oneIn(3) ? `, when(${this.#say.key(names, ["b", "w"])})` : "";
    return this.tag(`column :: width(${width})${when}`);
  }

  /** Returns a tag for a placeholder picture. */
  picture(names: Names): string {
    return this.#valueTag(
      this.#say.key(names, ["pic"]),
      this.#random.oneIn(2) ? [] : [this.#random.pick(PICTURE_MODIFIERS)],
    );
  }

  /** Returns a tag for an address. */
  address(names: Names): string {
    return this.#valueTag(this.#say.key(names, ["u"]), []);
  }

  /** Returns a block of any kind; with `tablerow`, always a loop over rows. */
  block(names: Names, word: "for" | "tablerow" = "for"): BlockTags {
    const random = this.#random;
    if (word === "tablerow") return this.#for(names, word);
    switch (random.below(7)) {
      case 0:
      case 1:
        return this.#for(names, word);
      case 2:
        return this.#section(names);
      case 3: {
        const path = this.#say.key(names, ["l", "e", "b", "t", "gone", "o"]);
        return { open: this.tag(`^${path}`), middles: [], close: this.#endOf(path), inner: names };
      }
      default:
        return this.#if(names);
    }
  }

  /** Returns a loop over a list of the root, which is the same in the whole document. */
  columns(): { readonly open: string; readonly close: string; readonly inner: Names } {
    const list = this.#random.pick(["w", "ns", "e", "tags", "o.w"]);
    const alias = this.#random.pick(["col", "k"]);
    const optional = this.#random.oneIn(2) ? " :: optional" : "";
    return {
      open: this.tag(`tablecolumn ${alias} in ${list}${optional}`),
      close: this.tag("endtablecolumn"),
      inner: { nodes: ROOT_NAMES.nodes, words: [alias], inLoop: true },
    };
  }

  #endOf(path: string): string {
    return this.tag(this.#random.oneIn(2) ? "/" : `/${path}`);
  }

  #for(names: Names, word: "for" | "tablerow"): BlockTags {
    const random = this.#random;
    const { path, isWords } = this.#say.listPath(names);
    const alias = random.pick(["x", "y", "it", "i"]);
    const optional = random.oneIn(3) ? " :: optional" : "";
    const nodes = names.nodes.filter((name) => name !== alias && !name.startsWith(`${alias}.`));
    const words = names.words.filter((name) => name !== alias);
    const inner = isWords
      ? { nodes, words: [...words, alias, alias], inLoop: true }
      : { nodes: [...nodes, alias, alias, `${alias}.o`], words, inLoop: true };
    return {
      open: this.tag(`${word} ${alias} in ${path}${optional}`),
      middles: [],
      close: this.tag(`end${word}`),
      inner,
    };
  }

  #section(names: Names): BlockTags {
    const random = this.#random;
    const kind = random.below(4);
    if (kind === 0) {
      const path = random.oneIn(2)
        ? this.#say.key(names, ["b", "c", "t", "n"])
        : this.#say.condition(names);
      return { open: this.tag(`#${path}`), middles: [], close: this.tag("/"), inner: names };
    }
    const own = { nodes: [...names.nodes, ""], words: names.words, inLoop: names.inLoop };
    if (kind === 1) {
      const path = this.#say.key(names, ["o", "e"]);
      return { open: this.tag(`#${path}`), middles: [], close: this.#endOf(path), inner: own };
    }
    const { path, isWords } = this.#say.listPath(names);
    const inner = isWords
      ? { ...names, words: [...names.words, ".", "this"], inLoop: true }
      : { ...own, inLoop: true };
    return { open: this.tag(`#${path}`), middles: [], close: this.#endOf(path), inner };
  }

  #if(names: Names): BlockTags {
    const random = this.#random;
    const middles = Array.from({ length: random.pick([0, 0, 0, 1, 2]) }, () =>
      this.tag(`${random.pick(["elseif", "else if"])} ${this.#say.condition(names)}`),
    );
    if (random.oneIn(2)) middles.push(this.tag("else"));
    const open = this.tag(`if ${this.#say.condition(names)}`);
    return { open, middles, close: this.tag("endif"), inner: names };
  }

  #valueTag(path: string, modifiers: readonly string[]): string {
    const random = this.#random;
    const all = [...modifiers];
    const fallback = random.below(9);
    if (fallback < 2) all.unshift("optional");
    else if (fallback === 2)
      all.push(random.pick(['default("n/a")', "default(“<&é>”)", 'default("")']));
    if (all.length === 0) return this.tag(path);
    return this.tag(`${path} :: ${all.join(random.oneIn(5) ? " :: " : ", ")}`);
  }
}
