import { ASIAN, COMPLEX, kindOf, LATIN, needsGlyph } from "./scripts.ts";
import { hasSymbolPlaces, isSymbolPlace, symbolAt } from "./symbol-fonts.ts";

/** The fonts of text for each kind of character; null if none is requested. */
export interface TextFonts {
  readonly latin: string | null;
  readonly asian: string | null;
  readonly complex: string | null;
}

/** Code points below this value are stored in arrays, not in a map. */
const SMALL = 0x800;

/** Latin digits and punctuation. Next to Arabic or Hebrew letters, they take the font of those letters. */
const PLAIN = 8;
/** A visible character that takes the font of the characters around it. */
const OTHER = 16;

const SMALL_KINDS = Uint8Array.from({ length: SMALL }, (_, codePoint) => {
  const kind = seenKindOf(codePoint);
  return kind === LATIN && !/\p{L}/u.test(String.fromCodePoint(codePoint)) ? PLAIN : kind;
});

/** Collects the requested fonts and the characters that need them. */
export class TextUse {
  /** For each family, as written, one visible character that uses it. */
  readonly families = new Map<string, number>();
  /** The characters of symbol fonts, by family. */
  readonly symbols = new Map<string, Set<number>>();
  readonly #small = new Uint8Array(SMALL);
  /** Code points with their kinds. */
  readonly #large = new Map<number, number>();

  /** Adds a range of text that contains no entities. */
  add(text: string, fonts: TextFonts, from = 0, to = text.length): void {
    if (fonts.latin !== null && hasSymbolPlaces(fonts.latin)) {
      for (const character of text.slice(from, to)) {
        const codePoint = character.codePointAt(0) ?? 0;
        if (needsGlyph(codePoint)) this.addSymbol(fonts.latin, codePoint);
      }
      return;
    }
    const kinds = this.#gather(text, from, to);
    if (kinds === 0) return;
    const isLatin =
      (kinds & LATIN) !== 0 ||
      ((kinds & PLAIN) !== 0 && (kinds & COMPLEX) === 0) ||
      (kinds & (ASIAN | COMPLEX)) === 0;
    if (isLatin) this.#ask(fonts.latin, text, from, to, LATIN);
    if ((kinds & ASIAN) !== 0) this.#ask(fonts.asian, text, from, to, ASIAN);
    if ((kinds & COMPLEX) !== 0) this.#ask(fonts.complex, text, from, to, COMPLEX);
  }

  /** Adds characters that do not request a font, for example from formulas. */
  addCharacters(text: string): void {
    this.#gather(text, 0, text.length);
  }

  /** Adds a character of a symbol font. A code point that is not in the symbol range is shown in another font. */
  addSymbol(family: string, codePoint: number): void {
    if (!isSymbolPlace(symbolAt(codePoint))) {
      this.#addCodePoint(codePoint);
      return;
    }
    const known = this.symbols.get(family);
    if (known === undefined) this.symbols.set(family, new Set([symbolAt(codePoint)]));
    else known.add(symbolAt(codePoint));
  }

  /** Adds everything from another collection. */
  addAll(other: TextUse): void {
    for (const [family, sample] of other.families) {
      if (!this.families.has(family)) this.families.set(family, sample);
    }
    for (const [family, codePoints] of other.symbols) {
      for (const codePoint of codePoints) this.addSymbol(family, codePoint);
    }
    for (const codePoint of other.codePoints()) this.#addCodePoint(codePoint);
  }

  /** Returns the visible characters, unsorted. */
  codePoints(): number[] {
    const all: number[] = [];
    for (let codePoint = 0; codePoint < SMALL; codePoint += 1) {
      if (this.#small[codePoint] === 1 && SMALL_KINDS[codePoint] !== 0) all.push(codePoint);
    }
    for (const [codePoint, kind] of this.#large) if (kind !== 0) all.push(codePoint);
    return all;
  }

  /** Adds characters and returns their kinds as bits; 0 if no character is visible. */
  #gather(text: string, from: number, to: number): number {
    const small = this.#small;
    let kinds = 0;
    for (let at = from; at < to; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < SMALL) {
        small[unit] = 1;
        kinds |= SMALL_KINDS[unit] ?? 0;
        continue;
      }
      const codePoint = text.codePointAt(at) ?? 0;
      if (codePoint > 0xffff) at += 1;
      kinds |= this.#addLarge(codePoint);
    }
    return kinds;
  }

  #addCodePoint(codePoint: number): void {
    if (codePoint < SMALL) this.#small[codePoint] = 1;
    else this.#addLarge(codePoint);
  }

  #addLarge(codePoint: number): number {
    const known = this.#large.get(codePoint);
    if (known !== undefined) return known;
    const kind = seenKindOf(codePoint);
    this.#large.set(codePoint, kind);
    return kind;
  }

  #ask(family: string | null, text: string, from: number, to: number, kind: number): void {
    if (family === null || family === "" || this.families.has(family)) return;
    const sample = sampleOf(text.slice(from, to), kind);
    this.families.set(family, sample);
  }
}

/** Returns the kind of a character; 0 if it is not visible. */
function seenKindOf(codePoint: number): number {
  return needsGlyph(codePoint) ? kindOf(codePoint) || OTHER : 0;
}

/** Returns the first character of a kind; if there is none, the first visible character. */
function sampleOf(text: string, kind: number): number {
  let other = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (kindOf(codePoint) === kind) return codePoint;
    if (other === 0 && needsGlyph(codePoint)) other = codePoint;
  }
  return other;
}
