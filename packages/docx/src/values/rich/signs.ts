import type { RichFormat } from "./model.ts";

/** The Unicode characters of a symbol font, by code. */
type Signs = ReadonlyMap<number, string>;

/** All characters of Adobe's Symbol font. */
const SYMBOL: Signs = new Map([
  ...row(0x21, "!∀#∃%&∍()*+,−./0123456789:;<=>?"),
  ...row(0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"),
  ...row(0x60, "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}~"),
  ...row(0xa1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"),
  ...row(0xc0, "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"),
  ...row(0xe0, "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"),
  ...row(0xf1, "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"),
]);

/** The Wingdings characters that also exist in other fonts. */
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

/** Whether a font is a symbol font: its characters look different from their Unicode values. */
export function isSignFont(font: string): boolean {
  return FONTS.has(font.toLowerCase());
}

/** The characters 0x80 to 0x9F of Windows-1252, which have other code points in Unicode. */
const HIGH = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Returns the code of a character in a symbol font, or null for a blank and for characters outside such fonts. */
function codeOf(character: string): number | null {
  const high = HIGH.indexOf(character);
  if (high !== -1) return 0x80 + high;
  const code = character.codePointAt(0) ?? 0;
  // Word writes such symbols in the private use area.
  if (code >= 0xf020 && code <= 0xf0ff) return code - 0xf000;
  return code > 0x20 && code <= 0xff && code !== 0xa0 ? code : null;
}

/** Text from a symbol font. */
export interface SignText {
  readonly text: string;
  readonly format: RichFormat;
  /**
   * The symbol font if the text keeps it, because some of its symbols have no Unicode character here; otherwise null.
   */
  readonly font: string | null;
}

/** Reads text in a symbol font. Blanks are kept, although these fonts may show a symbol for U+00A0. */
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

/** The results of {@link formatsOf}, cached so that text of one format becomes one run. */
const known = new WeakMap<RichFormat, SignFormats>();

function formatsOf(format: RichFormat, font: string): SignFormats {
  const found = known.get(format);
  if (found !== undefined) return found;
  const { signs: _, ...plain } = format;
  const made = { plain, inFont: { ...plain, font } };
  known.set(format, made);
  return made;
}
