import { type Diagnostic, QuireError } from "@quire/contracts";
import { familyKey, familyName } from "./family-name.ts";
import type { FontSet } from "./font-set.ts";
import { areMetricCompatible, metricCompatibleFor } from "./metric-compatible.ts";
import type { FamilyNeed, FontNeeds } from "./needs.ts";
import { isInOpenSymbol, isSymbolFont, OPEN_SYMBOL } from "./symbol-fonts.ts";

/** The check stops after this many missing families. A document with more families was designed to waste time. */
const MOST_FAMILIES = 60;
/** Further families are counted, not named. */
const NAMED_FAMILIES = 20;
const NAMED_CHARACTERS = 10;

/** A character that no font has. `family` is the symbol font of the code point; null for ordinary characters. */
interface MissingCharacter {
  readonly codePoint: number;
  readonly family: string | null;
}

/**
 * Returns the families that a document requests and that are neither embedded nor installed, each once, at most 60.
 * Text in a symbol font that OpenSymbol replaces is checked by character instead.
 */
export function missingFamilies(needs: FontNeeds, fonts: FontSet): FamilyNeed[] {
  const embedded = new Set(needs.embedded.map(familyKey));
  const missing = new Map<string, FamilyNeed>();
  const symbols = needs.symbols
    .filter(({ family }) => !isReplaced(family, fonts))
    .map(({ family, codePoints }) => ({ family, sample: codePoints[0] ?? 0 }));
  for (const need of [...needs.families, ...symbols]) {
    const key = familyKey(need.family);
    const isThere = fonts.has(need.family) || embedded.has(key);
    if (isThere || missing.has(key) || familyName(need.family) === "") continue;
    missing.set(key, need);
    if (missing.size === MOST_FAMILIES) break;
  }
  return [...missing.values()];
}

/**
 * Returns warnings about missing fonts and characters. A replacement font with the same widths causes no warning.
 * `substitutes` returns the family that replaces a missing family, or null.
 */
export function fontWarnings(
  needs: FontNeeds,
  fonts: FontSet,
  substitutes: (family: string) => string | null,
): Diagnostic[] {
  const missing = missingFamilies(needs, fonts).filter(({ family }) => {
    const standIn = substitutes(family);
    return standIn === null || !areMetricCompatible(family, standIn);
  });
  const warnings = missing
    .slice(0, NAMED_FAMILIES)
    .map(({ family }) => substituted(family, substitutes(family)));
  if (missing.length > NAMED_FAMILIES) {
    warnings.push(moreSubstituted(missing.length - NAMED_FAMILIES));
  }
  const characters = missingCharacters(needs, fonts);
  if (characters.length > 0) warnings.push(glyphsMissing(characters));
  return warnings;
}

/** Returns the error for the warnings of {@link fontWarnings}, for when `fonts` is `strict`. */
export function fontsMissing(warnings: readonly Diagnostic[]): QuireError {
  const diagnostics = warnings.map((warning) => ({ ...warning, severity: "error" as const }));
  const more = diagnostics.length > 1 ? ` (${diagnostics.length} findings)` : "";
  return new QuireError(
    "conversion_failed",
    `The document was not converted: its fonts failed the strict check${more}. ${diagnostics[0]?.message ?? ""}`,
    { diagnostics },
  );
}

/** The warning for a document whose fonts could not be checked. */
export const FONTS_UNCHECKED: Diagnostic = {
  severity: "warning",
  code: "fonts_unchecked",
  message:
    "The document's fonts were not checked: the fonts available to LibreOffice cannot be listed.",
  hint: 'Install fontconfig (for fc-list), and LibreOffice itself instead of its WebAssembly version. Or set fonts: "off".',
};

/** Whether LibreOffice replaces the family with its own symbols. */
function isReplaced(family: string, fonts: FontSet): boolean {
  return isSymbolFont(family) && !fonts.has(family) && fonts.has(OPEN_SYMBOL);
}

function missingCharacters(needs: FontNeeds, fonts: FontSet): MissingCharacter[] {
  // The characters that embedded fonts contain are unknown.
  const texts = needs.embedded.length > 0 ? [] : needs.codePoints;
  const characters = texts
    .filter((codePoint) => !isCovered(codePoint, fonts))
    .map((codePoint) => ({ codePoint, family: null }));
  const embedded = new Set(needs.embedded.map(familyKey));
  const symbols = needs.symbols
    .filter(({ family }) => !embedded.has(familyKey(family)))
    .flatMap(({ family, codePoints }) =>
      codePoints
        .filter((codePoint) => !hasSymbol(family, codePoint, fonts))
        .map((codePoint) => ({ codePoint, family })),
    );
  return [...characters, ...symbols];
}

function isCovered(codePoint: number, fonts: FontSet): boolean {
  if (fonts.covers(codePoint)) return true;
  if (codePoint === NON_BREAKING_HYPHEN) return fonts.covers(HYPHEN);
  // A letter with an accent can be composed of the letter and the accent.
  const character = String.fromCodePoint(codePoint);
  const parts = [...character.normalize("NFD")];
  return (
    parts.join("") !== character && parts.every((part) => fonts.covers(part.codePointAt(0) ?? 0))
  );
}

const HYPHEN = 0x2010;
const NON_BREAKING_HYPHEN = 0x2011;

function hasSymbol(family: string, codePoint: number, fonts: FontSet): boolean {
  if (fonts.has(family)) return fonts.coversSymbol(family, codePoint);
  if (isReplaced(family, fonts)) return isInOpenSymbol(family, codePoint);
  return false;
}

function substituted(written: string, standIn: string | null): Diagnostic {
  const family = familyName(written);
  const instead =
    standIn === null ? "another font replaces it" : `the font ${quoted(standIn)} replaces it`;
  const compatible = metricCompatibleFor(family);
  const same =
    compatible === null
      ? ""
      : ` The free font ${compatible.family} has the same widths` +
        (compatible.debianPackage === null
          ? "."
          : `: on Debian and Ubuntu \`apt-get install ${compatible.debianPackage}\`.`);
  return {
    severity: "warning",
    code: "font_substituted",
    message:
      `The document uses the font ${quoted(family)}, which is not installed: ${instead}, so lines and ` +
      "pages may break differently than in Word.",
    hint: `Install the font, add its folder to the option fontFolders, or use another font in the template.${same}`,
  };
}

function moreSubstituted(count: number): Diagnostic {
  return {
    severity: "warning",
    code: "font_substituted",
    message: `The document uses ${count} more fonts that are not installed.`,
    hint: "Install them, or use fewer fonts in the template.",
  };
}

function glyphsMissing(characters: readonly MissingCharacter[]): Diagnostic {
  const named = characters.slice(0, NAMED_CHARACTERS).map(({ codePoint, family }) => {
    const place = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
    return family === null ? place : `${place} of ${quoted(familyName(family))}`;
  });
  const more = characters.length - named.length;
  const list = named.join(", ") + (more === 0 ? "" : ` and ${more} more`);
  const subject = characters.length === 1 ? "a character" : "some characters";
  return {
    severity: "warning",
    code: "glyph_missing",
    message: `No available font has ${subject} in the document, so the PDF shows boxes instead: ${list}.`,
    hint: hintFor(characters),
  };
}

/** Scripts, and the packages to install for them. */
const PACKAGES: readonly (readonly [script: RegExp, name: string])[] = [
  [
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]$/u,
    "fonts-noto-cjk",
  ],
  [/^\p{Extended_Pictographic}$/u, "fonts-noto-color-emoji"],
];

function hintFor(characters: readonly MissingCharacter[]): string {
  const packages = new Set<string>();
  for (const { codePoint, family } of characters) {
    const isPrivate = family !== null || /^\p{Co}$/u.test(String.fromCodePoint(codePoint));
    if (!isPrivate) packages.add(packageFor(codePoint));
  }
  const install = "Install a font that has them, or add its folder to the option fontFolders";
  if (packages.size === 0)
    return `${install}. These characters have a meaning only in the font that the document names.`;
  return `${install}: on Debian and Ubuntu \`apt-get install ${[...packages].sort().join(" ")}\`.`;
}

function packageFor(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return PACKAGES.find(([script]) => script.test(character))?.[1] ?? "fonts-noto-core";
}

/** Quotes and shortens a name from a document, to prevent line breaks in logs. */
function quoted(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
