import type { RichFormat } from "./model.ts";

/** The signs of a font that has no letters, by their codes there. */
type Signs = ReadonlyMap<number, string>;

/** Adobe's Symbol, whole. A blank has none. */
const SYMBOL: Signs = new Map([
  ...row(0x21, "!∀#∃%&∍()*+,−./0123456789:;<=>?"),
  ...row(0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"),
  ...row(0x60, "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}~"),
  ...row(0xa1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"),
  ...row(0xc0, "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"),
  ...row(0xe0, "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"),
  ...row(0xf1, "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"),
]);

/** Those of Wingdings that other fonts have, too. */
const WINGDINGS: Signs = new Map([
  ...row(0x22, "✂"),
  ...row(0x28, "☎✆✉"),
  ...row(0x36, "⌛"),
  ...row(0x3e, "✇✍"),
  ...row(0x41, "✌"),
  ...row(0x45, "☜☞☝☟"),
  ...row(0x4a, "☺"),
  ...row(0x4c, "☹"),
  ...row(0x51, "✈☼"),
  ...row(0x54, "❄"),
  ...row(0x56, "✞"),
  ...row(0x58, "✠✡☪☯"),
  ...row(0x5d, "☸♈♉♊♋♌♍♎♏♐♑♒♓"),
  ...row(0x6c, "●"),
  ...row(0x6e, "■□❐❑❒⬧⧫◆❖⬥⌧"),
  ...row(0x7a, "⌘❀✿❝❞"),
  ...row(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
  ...row(0x9f, "•"),
  ...row(0xa1, "○"),
  ...row(0xa4, "◉◎"),
  ...row(0xa7, "▪◻"),
  ...row(0xab, "★✶✴"),
  ...row(0xb1, "⌖"),
  ...row(0xb5, "✪✰"),
  ...row(0xd5, "⌫⌦"),
  ...row(0xd8, "➢"),
  ...row(0xdc, "➲"),
  ...row(0xdf, "←→↑↓↖↗↙↘"),
  ...row(0xe8, "➔"),
  ...row(0xef, "⇦⇨⇧⇩⬄⇳"),
  ...row(0xfb, "✗✓☒☑"),
]);

function row(from: number, characters: string): [number, string][] {
  return [...characters].map((character, index) => [from + index, character]);
}

const NONE: Signs = new Map();

const FONTS: ReadonlyMap<string, Signs> = new Map([
  ["symbol", SYMBOL],
  ["wingdings", WINGDINGS],
  ["wingdings 2", NONE],
  ["wingdings 3", NONE],
  ["webdings", NONE],
]);

/** Whether the characters of a font are signs, whatever letters they would be in other fonts. */
export function isSignFont(font: string): boolean {
  return FONTS.has(font.toLowerCase());
}

/** The characters from 0x80 to 0x9F of the code page in which those fonts are written, which Unicode has elsewhere. */
const HIGH = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** The code of a character in a font of signs; null for what is none of its characters. */
function codeOf(character: string): number | null {
  const high = HIGH.indexOf(character);
  if (high !== -1) return 0x80 + high;
  const code = character.codePointAt(0) ?? 0;
  // Where Word writes such signs itself.
  if (code >= 0xf020 && code <= 0xf0ff) return code - 0xf000;
  return code > 0x20 && code <= 0xff && code !== 0xa0 ? code : null;
}

/** A text that was in a font of signs. */
export interface SignText {
  readonly text: string;
  readonly format: RichFormat;
  /** The font in which the text has to stay, since no other one has all of its signs; else null. */
  readonly font: string | null;
}

/** Reads a text in the font of signs that its format names. Blanks stay blanks: those fonts have signs there. */
export function readSigns(text: string, format: RichFormat, font: string): SignText {
  const signs = FONTS.get(font.toLowerCase()) ?? NONE;
  const { plain, inFont } = formatsOf(format, font);
  const read: string[] = [];
  for (const character of text) {
    const code = codeOf(character);
    const sign = code === null ? character : signs.get(code);
    if (sign === undefined) return { text: text.replaceAll("\u00a0", " "), format: inFont, font };
    read.push(sign);
  }
  return { text: read.join(""), format: plain, font: null };
}

interface SignFormats {
  readonly plain: RichFormat;
  readonly inFont: RichFormat;
}

/** The same object for the same format: text of one look is one run. */
const known = new WeakMap<RichFormat, SignFormats>();

function formatsOf(format: RichFormat, font: string): SignFormats {
  const found = known.get(format);
  if (found !== undefined) return found;
  const { signs: _, ...plain } = format;
  const made = { plain, inFont: { ...plain, font } };
  known.set(format, made);
  return made;
}
