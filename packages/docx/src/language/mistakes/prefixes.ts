import { isModifier, MODIFIERS } from "../grammar/modifier-signatures.ts";
import { functionNamed } from "./lists.ts";
import { NAME, PATH, TEXT, type Written } from "./written.ts";

/** Modifiers that a name after them certainly does not continue to a key with a space, as it may `link text`. */
const CERTAIN = /^(?:uppercase|lowercase|capitalize)$/;

/** Returns a tag with `*`, functions and modifiers in place of words before or between values: `merge i.city`. */
export function prefixMeant(tag: Written): string | null {
  if (!/\s/.test(tag.text)) return null;
  return (
    tag.replace(String.raw`^ifnot\s+(${PATH})$`, ([, path]) => `if not ${path}`, "i") ??
    tag.replace(String.raw`^ifnot\s+(.+)$`, ([, rest]) => `if not (${rest})`, "i") ??
    timesMeant(tag) ??
    tag.replace(String.raw`^(${PATH})\s+(${NAME}(?:\([^()]*\))?)$`, ([, path = "", word = ""]) =>
      isModifier(word.split("(", 1)[0] ?? "") && (path.includes(".") || CERTAIN.test(word))
        ? `${path} :: ${word}`
        : null,
    ) ??
    tag.replace(String.raw`^(${NAME})\s+(${PATH})$`, ([, word = "", path = ""]) => {
      if (!isModifier(word) || !(path.includes(".") || CERTAIN.test(word))) return null;
      const { required, example } = MODIFIERS[word];
      return `${path} :: ${word}${required > 0 ? example : ""}`;
    }) ??
    formatMeant(tag) ??
    tag.replace(
      String.raw`^(?:the\s+)?(sum|total|average|min|max)\s+of\s+(${PATH})\.(${NAME})$`,
      ([, word = "", list, key]) => `${list}.${functionNamed(word)}(${key})`,
    ) ??
    tag.replace(
      String.raw`(?<=^|\sin\s+)(distinct|unique|sorted|reversed)\s+(${PATH})$`,
      ([, word = "", path = ""]) => {
        const name = word === "reversed" ? "reverse" : functionNamed(word);
        return path.includes(".") || tag.text !== `${word} ${path}` ? `${path}.${name}()` : null;
      },
    )
  );
}

/** `format due "dd.MM."`, `due format "dd.MM."` and `total as currency`. */
function formatMeant(tag: Written): string | null {
  return (
    tag.replace(
      String.raw`^(${NAME})\s+(${PATH})\s+(${TEXT})$`,
      ([, one = "", other = "", text]) => {
        if (isModifier(one)) return `${other} :: ${one}(${text})`;
        return isModifier(other) ? `${one} :: ${other}(${text})` : null;
      },
    ) ??
    tag.replace(String.raw`^(${PATH})\s+as\s+(?:a\s+|an\s+)?(${NAME})$`, ([, path, word = ""]) => {
      if (!isModifier(word)) return null;
      const { required, example } = MODIFIERS[word];
      return `${path} :: ${word}${required > 0 ? example : ""}`;
    })
  );
}

/** `i.price x i.qty`. A key with spaces has no dots. */
function timesMeant(tag: Written): string | null {
  const factors = String.raw`(${PATH}|\d+(?:\.\d+)?)\s+(?:x|X|×|times)\s+(${PATH}|\d+(?:\.\d+)?)(?![\p{L}\p{N}_])`;
  return (
    tag.replace(
      String.raw`(?<=\.(?:sum|average|min|max)\([^()]*)${factors}`,
      ([, one, other]) => `${one} * ${other}`,
    ) ??
    tag.replace(factors, ([all = "", one, other]) =>
      /[.\d]/.test(all) ? `${one} * ${other}` : null,
    )
  );
}

/** Returns the values of a tag with several of them and nothing between them, such as `x.first x.last`, or null. */
export function valuesBeside(tag: Written): readonly string[] | null {
  if (tag.match(String.raw`^${PATH}(?:\s+${PATH}){1,3}$`) === null) return null;
  const parts = tag.text.split(/\s+/);
  return parts.every((part) => /^[^.]+\../.test(part)) ? parts : null;
}
