import type { Correction } from "./rewrites.ts";
import { NAME, Written } from "./written.ts";

/** A call of a function as it is written in a tag. */
export interface WrittenCall {
  /** The name without a dollar sign. */
  readonly name: string;
  /** Whether a value and a dot come before the name. */
  readonly isMethod: boolean;
  readonly given: readonly string[];
  /** The index of the name. */
  readonly from: number;
  /** The index after the closing parenthesis. */
  readonly to: number;
}

/** Returns the calls in a tag, in the order of their names. Arguments are separated with `,` or `;`. */
export function callsIn(tag: Written): readonly WrittenCall[] {
  if (!tag.text.includes("(")) return [];
  return tag.findAll(String.raw`(?<![\p{L}\p{N}_$-])${NAME}\(`).flatMap(([from, to]) => {
    const end = tag.closing(to - 1);
    if (end === -1) return [];
    const name = tag.text.slice(from, to - 1);
    const inside = tag.text.slice(to, end).trim();
    return {
      name: name.replace(/^\$/, ""),
      isMethod: /\.\s*$/.test(tag.text.slice(0, from)),
      given: inside === "" ? [] : new Written(inside).split("[,;]"),
      from,
      to: end + 1,
    };
  });
}

/** Returns a correction that replaces the first call that has an equivalent. */
export function rewriteCall(meant: (call: WrittenCall, tag: Written) => string | null): Correction {
  return (tag) => {
    for (const call of callsIn(tag)) {
      const other = meant(call, tag);
      if (other !== null) return tag.text.slice(0, call.from) + other + tag.text.slice(call.to);
    }
    return null;
  };
}

/** Returns a list and a key of its items for the path `items.price`; null for other text. */
export function columnOf(path = ""): { readonly list: string; readonly key: string } | null {
  const [, list, key] = /^(\p{L}[\p{L}\p{N}_.]*)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(path) ?? [];
  return list === undefined || key === undefined ? null : { list, key };
}

/** Returns an expression about the items of a list, with their keys in place of paths: `items.price > 2` is `price > 2`. */
export function withoutList(expression: string, list: string): string {
  let text = new Written(expression);
  for (let more = 0; more < 10; more++) {
    const replaced = text.replace(
      String.raw`(?<![\p{L}\p{N}_$.])${list.replaceAll(".", "\\.").replaceAll("$", "\\$")}\.(?=[\p{L}_])`,
      () => "",
    );
    if (replaced === null) break;
    text = new Written(replaced);
  }
  return text.text;
}
