import { type CodePointRange, parseRanges } from "./code-points.ts";
import { familyKey } from "./family-name.ts";

/** LibreOffice's own symbol font, which replaces the symbol fonts of Windows, character by character. */
export const OPEN_SYMBOL = "OpenSymbol";

const SYMBOL = "symbol";

/** The code point of a symbol is this value plus the byte of the symbol, in the private use area. */
const SYMBOLS = 0xf000;

/**
 * The characters of symbol fonts that OpenSymbol contains (the low byte of each), as LibreOffice 7.4 shows them in
 * list bullets and inserted symbols. All others are shown as boxes.
 */
const REPLACED: readonly (readonly [families: readonly string[], bytes: string])[] = [
  [["Symbol"], "20-ff"],
  [
    ["Wingdings"],
    "20-22 28 2a-2b 3c-40 44 46-48 4a-4c 4e 51-52 54-56 58-5b 5d-69 6c-78 7a-96 9e-a3 a6-b7 c3-ca cd-fe",
  ],
  [["Wingdings 2"], "20 24-26 28 3e-4d 4f-54 59-5b 69-83 85-86 97-bf cc f1 f3 f8-ff"],
  [["Wingdings 3"], "20 25 27 2f-30 34-38 44-45 48-4d 50-51 53-56 58 72-78 7a-7d 7f c5-e8 f1-ff"],
  [["Webdings"], "20 2e-3d 51 67 6e 7f af bf c5 cb-cd f1"],
  [
    ["MT Extra"],
    "20-27 2a-30 39-44 49-5b 5d-5e 60-66 68 6b-70 72-74 76-77 79-7a 7f-80 83 86-87 89-a8 af b3-b4 b8-b9 " +
      "bd-bf c4-d0 d4 d7-e6 e8-ff",
  ],
  [["Zapf Dingbats", "ZapfDingbats", "ITC Zapf Dingbats", "Monotype Sorts"], "20-a0 a2-ff"],
];

const BY_FAMILY: ReadonlyMap<string, readonly CodePointRange[]> = new Map(
  REPLACED.flatMap(([families, bytes]) =>
    families.map((family) => [familyKey(family), parseRanges(bytes) ?? []] as const),
  ),
);

/** Whether LibreOffice treats a family as a symbol font. */
export function isSymbolFont(family: string): boolean {
  return BY_FAMILY.has(familyKey(family));
}

/** Whether OpenSymbol contains this code point of a symbol font. */
export function isInOpenSymbol(family: string, codePoint: number): boolean {
  const byte = codePoint >= SYMBOLS ? codePoint - SYMBOLS : codePoint;
  const ranges = BY_FAMILY.get(familyKey(family)) ?? [];
  return ranges.some(([first, last]) => byte >= first && byte <= last);
}

/** Returns the code point of a symbol in the private use area. `codePoint` may be only the byte of the symbol. */
export function symbolAt(codePoint: number): number {
  return codePoint < 0x100 ? SYMBOLS + codePoint : codePoint;
}

/** Whether a code point is in the range of symbols, whose meaning depends on the font. */
export function isSymbolPlace(codePoint: number): boolean {
  return codePoint >= SYMBOLS && codePoint <= SYMBOLS + 0xff;
}

/** Whether all text in a family is read as symbols, not only bullets. LibreOffice does this for Symbol. */
export function hasSymbolPlaces(family: string): boolean {
  return family.length === SYMBOL.length && family.toLowerCase() === SYMBOL;
}
