import {
  attributeIn,
  attributeOf,
  elementIn,
  elementsIn,
  withDrawingPrefix,
  withWordPrefix,
} from "./xml.ts";

/** The name of the font at a place in the theme (`minorHAnsi`); null when the theme names none. */
export type ThemeFonts = (place: string) => string | null;

/** Languages of the document, by which a theme names a font for a script. */
export interface ThemeLanguages {
  readonly asian: string | null;
  readonly complex: string | null;
}

/** Reads `w:themeFontLang` in the part of settings. */
export function readThemeLanguages(settings: string): ThemeLanguages {
  const xml = withWordPrefix(settings);
  return {
    asian: attributeIn(xml, "w:themeFontLang", "w:eastAsia"),
    complex: attributeIn(xml, "w:themeFontLang", "w:bidi"),
  };
}

/** Reads the theme. Where it names no font for a kind of characters, it may name one for their script. */
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

/** The script of a language, as themes call it. */
function scriptOf(language: string | null): string {
  if (language === null) return "none";
  try {
    const script = new Intl.Locale(language).maximize().script ?? "none";
    return script === "Kore" ? "Hang" : script;
  } catch {
    return "none"; // no language
  }
}
