import type { Face } from "./font-metrics.ts";

/** Text of one run that is not broken. */
export interface Part {
  /** The index of the run. */
  readonly run: number;
  /** The sum of the widths of its characters, in units of the font. */
  units: number;
  /** The number of its characters. */
  count: number;
}

/** A word, a break, a tab or a picture. A line may end after each of them. */
export type Segment =
  | { readonly kind: "word"; readonly parts: Part[]; readonly spaces: Part[] }
  | { readonly kind: "break" | "tab"; readonly run: number }
  /** Lengths are in twentieths of a point. */
  | { readonly kind: "picture"; readonly width: number; readonly height: number };

/** How the characters of a run are measured. */
export interface Measured {
  readonly face: Face;
  readonly caps: boolean;
  readonly smallCaps: boolean;
}

/** The size of small capitals as a part of the size of capitals. */
const SMALL = 0.8;

/** Divides the text of a paragraph at the places where a line may end. */
export class SegmentReader {
  readonly segments: Segment[] = [];
  /** Whether the width of a character is only a guess. */
  hasGuess = false;
  #hasOther = false;
  #last = "";
  /** Whether the next character may begin a line. */
  #isFree = true;

  picture(width: number, height: number): void {
    this.segments.push({ kind: "picture", width, height });
    this.#isFree = true;
  }

  /**
   * Adds the text of a run. A line feed is a break, a tab is a tab. Returns whether some characters come from other
   * fonts, whose lines may be higher.
   */
  text(text: string, run: number, measured: Measured): boolean {
    this.#hasOther = false;
    for (const character of text) {
      if (character === "\n" || character === "\t") {
        this.segments.push({ kind: character === "\n" ? "break" : "tab", run });
        this.#isFree = true;
      } else if (character === " ") this.#space(run, measured);
      else this.#letter(character, run, measured);
      this.#last = character;
    }
    return this.#hasOther;
  }

  #space(run: number, measured: Measured): void {
    add(this.#word(this.segments.at(-1)).spaces, run, this.#units(" ", measured));
    this.#isFree = true;
  }

  #letter(character: string, run: number, measured: Measured): void {
    const last = this.segments.at(-1);
    const isNew = this.#isFree || mayBreak(this.#last, character);
    const word = this.#word(isNew ? undefined : last);
    this.#isFree = false;
    const isSmall = measured.smallCaps && character !== character.toUpperCase();
    const shown = measured.caps || isSmall ? character.toUpperCase() : character;
    let units = 0;
    for (const each of shown) units += this.#units(each, measured);
    add(word.parts, run, isSmall ? units * SMALL : units);
  }

  #word(last: Segment | undefined): Extract<Segment, { kind: "word" }> {
    if (last?.kind === "word") return last;
    const word = { kind: "word", parts: [], spaces: [] } as const satisfies Segment;
    this.segments.push(word);
    return word;
  }

  #units(character: string, { face }: Measured): number {
    const { units, isGuess, isOther } = face.widthOf(character.codePointAt(0) ?? 0);
    this.hasGuess ||= isGuess;
    this.#hasOther ||= isOther;
    return units;
  }
}

function add(parts: Part[], run: number, units: number): void {
  const last = parts.at(-1);
  if (last?.run !== run) parts.push({ run, units, count: 1 });
  else {
    last.units += units;
    last.count += 1;
  }
}

/** Whether a line may end between two characters other than spaces. */
function mayBreak(before: string, after: string): boolean {
  if (HYPHEN.test(before)) return LETTER.test(after);
  if (before < "\u1100" && after < "\u1100") return false;
  return (SQUARE.test(before) || SQUARE.test(after)) && !OPENS.test(before) && !CLOSES.test(after);
}

/** Hyphens and dashes after which Word breaks a line. */
const HYPHEN = /^[-\u2010\u2013\u2014]$/;
const LETTER = /^\p{L}$/u;
/** Characters of scripts that are written without spaces. */
const SQUARE = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3001\u3002\uff01-\uff60]$/u;
/** Characters that do not end a line, and characters that do not begin one. */
const OPENS = /^[\p{Ps}\p{Pi}]$/u;
const CLOSES =
  /^[\p{Pe}\p{Pf}\p{Po}\p{M}\u3005\u303b\u30fc\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7]$/u;
