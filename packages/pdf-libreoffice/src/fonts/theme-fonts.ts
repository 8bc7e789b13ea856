import {
  attributeIn,
  attributeOf,
  elementIn,
  elementsIn,
  withDrawingPrefix,
  withWordPrefix,
} from "./xml.ts";

/** Returns the font name for a role in the theme (`minorHAnsi`); null if the theme names none. */
export type ThemeFonts = (place: string) => string | null;

/** The document's languages, which determine the script for which a theme names a font. */
export interface ThemeLanguages {
  readonly asian: string | null;
  readonly complex: string | null;
}

/** Reads `w:themeFontLang` in the settings part. */
export function readThemeLanguages(settings: string): ThemeLanguages {
  const xml = withWordPrefix(settings);
  return {
    asian: attributeIn(xml, "w:themeFontLang", "w:eastAsia"),
    complex: attributeIn(xml, "w:themeFontLang", "w:bidi"),
  };
}

/**
 * Reads the theme. If it names no font for Asian or complex characters, uses its font for the script of the language.
 */
export function readThemeFonts(theme: string, languages: ThemeLanguages): ThemeFonts {
  const scheme = elementIn(withDrawingPrefix(theme), "a:fontScheme")?.content ?? "";
  const major = readFonts(elementIn(scheme, "a:majorFont")?.content ?? "", languages);
  const minor = readFonts(elementIn(scheme, "a:minorFont")?.content ?? "", languages);
  return (place) => {
    const fonts = place.startsWith("major") ? major : minor;
    if (place.endsWith("EastAsia")) return fonts.asian;
    return place.endsWith("Bidi") ? fonts.complex : fonts.latin;
  };
}

interface Fonts {
  readonly latin: string | null;
  readonly asian: string | null;
  readonly complex: string | null;
}

function readFonts(xml: string, languages: ThemeLanguages): Fonts {
  const scripts = new Map<string, string>();
  for (const { tag } of elementsIn(xml, "a:font")) {
    scripts.set(attributeOf(tag, "script") ?? "", attributeOf(tag, "typeface") ?? "");
  }
  const named = (element: string, language: string | null): string | null =>
    attributeIn(xml, element, "typeface") || scripts.get(scriptOf(language)) || null;
  return {
    latin: named("a:latin", null),
    asian: named("a:ea", languages.asian),
    complex: named("a:cs", languages.complex),
  };
}

/** Returns the script of a language, as named in themes. */
function scriptOf(language: string | null): string {
  if (language === null) return "none";
  try {
    const script = new Intl.Locale(language).maximize().script ?? "none";
    return script === "Kore" ? "Hang" : script;
  } catch {
    return "none"; // not a valid language
  }
}
