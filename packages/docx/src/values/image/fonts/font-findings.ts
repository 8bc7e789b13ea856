import type { FontStyle } from "./css-fonts.ts";
import type { FontSet } from "./font-set.ts";

/** A difference between the PNG of an SVG and its text. */
export interface SvgWarning {
  /** The code of the diagnostic. */
  readonly code: "font_substituted" | "glyph_missing" | "mixed_fonts";
  /** Continues the sentence "The SVG for the tag … ". */
  readonly problem: string;
  /** What to do, as sentences. */
  readonly hint: string;
}

/** Names that messages quote. Others may be anything in the data. */
const NAME = /^[\p{L}\p{N}_-][\p{L}\p{N} _.+-]{0,59}$/u;
const UNNAMED = "a font without a plain name";

/** Maximum numbers of families and of code points in a message. */
const MAX_FAMILIES = 5;
const MAX_CODE_POINTS = 10;

const GIVE =
  "Give the font with --svg-fonts (svgFonts in a program), use a given font in the SVG, or turn its text into paths.";

/** Collects how the fonts that were given differ from those that an SVG needs. */
export class FontFindings {
  readonly #set: FontSet;
  readonly #missing = new Set<string>();
  readonly #unstyled = new Set<string>();
  readonly #foreign = new Set<number>();
  readonly #absent = new Set<number>();
  /** Whether a part of a line might not be drawn, because the line has several fonts. */
  isUncertain = false;

  constructor(set: FontSet) {
    this.#set = set;
  }

  /** Returns the given family that is used for a list of families. */
  familyFor(families: readonly string[] = []): string {
    for (const name of families) {
      const found = this.#set.find(name);
      if (found !== null) return found;
    }
    return this.#set.fallback;
  }

  /** Adds a font that the SVG uses. Returns its family. */
  use(style: FontStyle): string {
    const { families = [] } = style;
    const family = this.familyFor(families);
    if (families.every((name) => this.#set.find(name) === null)) {
      for (const name of families) this.#missing.add(NAME.test(name) ? name : UNNAMED);
    }
    this.styled(family, style);
    return family;
  }

  /** Adds text in a style that a family may not have. */
  styled(family: string, { isBold, isItalic }: FontStyle): void {
    for (const style of [isBold && "bold", isItalic && "italic"] as const) {
      if (style && !this.#set.isStyled(family, style)) this.#unstyled.add(`${style} ${family}`);
    }
  }

  /**
   * Adds the characters of a text, which has one of these families. Returns whether each family has all of them.
   */
  characters(text: string, families: readonly string[]): boolean {
    let isComplete = true;
    for (const character of new Set(text)) {
      if (NOT_DRAWN.test(character)) continue;
      const lacking = families.filter((family) => !this.#has(character, family));
      if (lacking.length > 0) isComplete = false;
      if (lacking.length < families.length) continue;
      const found = this.#has(character, null) ? this.#foreign : this.#absent;
      found.add(character.codePointAt(0) ?? 0);
    }
    return isComplete;
  }

  /** Whether all of a text in one family is drawn in the same font, although the family lacks characters of it. */
  drawsInOneFont(text: string, family: string): boolean {
    const drawn = [...text].filter((each) => !NOT_DRAWN.test(each)).join("");
    return this.#set.drawsInOneFont(drawn, family);
  }

  /** Whether a family, or any family if it is null, has a character or its parts, such as a letter and its accent. */
  #has(character: string, family: string | null): boolean {
    const has = (part: string): boolean => {
      const codePoint = part.codePointAt(0) ?? 0;
      return family === null ? this.#set.hasAnywhere(codePoint) : this.#set.has(family, codePoint);
    };
    return has(character) || [...character.normalize("NFD")].every(has);
  }

  /** All findings, the most important ones first. */
  get warnings(): readonly SvgWarning[] {
    const warnings: SvgWarning[] = [];
    const add = (code: SvgWarning["code"], problem: string, hint = GIVE): void => {
      warnings.push({ code, problem, hint });
    };
    if (this.#absent.size > 0) {
      add(
        "glyph_missing",
        `has characters that none of the given fonts has, so its PNG shows boxes: ${codePoints(this.#absent)}`,
      );
    }
    if (this.#missing.size > 0) {
      add(
        "font_substituted",
        `uses fonts that were not given, so its PNG shows ${quoted(this.#set.fallback)}: ${list(this.#missing)}`,
      );
    }
    if (this.#unstyled.size > 0) {
      add(
        "font_substituted",
        `uses styles of fonts that were not given, so its PNG shows another style: ${list(this.#unstyled)}`,
      );
    }
    if (this.#foreign.size > 0) {
      add(
        "font_substituted",
        `has characters that its font lacks, so their text in its PNG has another given font: ${codePoints(this.#foreign)}`,
      );
    }
    if (this.isUncertain) add("mixed_fonts", MIXED, PART_LINES);
    return warnings;
  }
}

const MIXED =
  "has a line of text in several fonts that cannot be measured together, so a part of the line may be missing in its PNG";
const PART_LINES =
  "Give each font its own text element, remove letter-spacing and textLength, or turn the text into paths.";

/** White space and invisible characters, which need no glyph. */
const NOT_DRAWN = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

function list(names: ReadonlySet<string>): string {
  const more = names.size > MAX_FAMILIES ? ", …" : "";
  return [...names].slice(0, MAX_FAMILIES).map(quoted).join(", ") + more;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}

function codePoints(all: ReadonlySet<number>): string {
  const more = all.size > MAX_CODE_POINTS ? ", …" : "";
  const shown = [...all].sort((a, b) => a - b).slice(0, MAX_CODE_POINTS);
  return (
    shown.map((each) => `U+${each.toString(16).toUpperCase().padStart(4, "0")}`).join(", ") + more
  );
}
