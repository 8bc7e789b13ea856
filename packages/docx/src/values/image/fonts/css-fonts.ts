import { fontProperties } from "../../rich/font-shorthand.ts";
import { BOLD } from "./font-set.ts";

/** What an element or a rule of a style sheet says about its font. */
export interface FontStyle {
  readonly families?: readonly string[];
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
}

/** Returns the given family that is used for a list of families. */
export type ChooseFamily = (families: readonly string[]) => string;

const COMMENTS = /\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g;
const DECLARATION = /(^|[;{\s])(font(?:-(?:family|weight|style))?)\s{0,100}:([^;{}]*)/gi;
const IMPORTANT = /!\s{0,100}important/i;

/**
 * Replaces the families in CSS by those that are used for them, and each `font` by the properties that it sets, because
 * the renderer does not know `font`. `style` has what the CSS says last about the font.
 */
export function replaceFonts(
  css: string,
  choose: ChooseFamily,
): { readonly css: string; readonly style: FontStyle } {
  let style: FontStyle = {};
  const replace = (all: string, before: string, name: string, given: string): string => {
    const value = given.replace(IMPORTANT, "").trim();
    const property = name.toLowerCase();
    const properties = property === "font" ? fontProperties(value) : [[property, value] as const];
    if (properties.length === 0) return all;
    const ending = IMPORTANT.test(given) ? " !important" : "";
    const written = properties.map(([each, text]) => {
      const said = fontStyle(each, text);
      style = { ...style, ...said };
      const family = said.families === undefined ? text : `'${choose(said.families)}'`;
      return `${each}:${family}${ending}`;
    });
    return before + written.join(";");
  };
  return { css: css.replace(COMMENTS, " ").replace(DECLARATION, replace), style };
}

/** Like {@link replaceFonts}, for a style sheet. Returns what each rule says. */
export function replaceFontsOfSheet(
  css: string,
  choose: ChooseFamily,
): { readonly css: string; readonly styles: readonly FontStyle[] } {
  const rules = css.replace(COMMENTS, " ").split("}");
  const replaced = rules.map((rule) => replaceFonts(rule, choose));
  return {
    css: replaced.map((rule) => rule.css).join("}"),
    styles: replaced.map(({ style }) => style),
  };
}

/** Reads one property. Returns an empty object for other properties and for keywords such as `inherit`. */
export function fontStyle(property: string, value: string): FontStyle {
  const word = value.trim().toLowerCase();
  if (/^(?:inherit|initial|unset|revert)$/.test(word)) return {};
  switch (property) {
    case "font-family":
      return { families: familiesIn(value) };
    case "font-weight":
      if (/^(?:bold|bolder)$/.test(word)) return { isBold: true };
      return /^(?:normal|lighter|\d{1,4})$/.test(word) ? { isBold: Number(word) >= BOLD } : {};
    case "font-style":
      return { isItalic: /^(?:italic|oblique)/.test(word) };
    default:
      return {};
  }
}

/** Maximum number of families of a list, as no author writes more. */
const MAX_FAMILIES = 100;

function familiesIn(list: string): readonly string[] {
  return list
    .split(",", MAX_FAMILIES)
    .map((name) => name.replace(/["'\\]/g, "").trim())
    .filter((name) => name !== "");
}
