import { localeOfCountry } from "./country-locales.ts";

/** Languages whose names authors write in place of their codes. */
export const LANGUAGES =
  "en de fr es it pt nl pl cs da sv nb fi el hu ro bg hr sk sl lt lv et ja zh ko hi ar tr ru uk".split(
    " ",
  );

/** Countries whose names authors write in place of a language. */
const COUNTRIES = (
  "GB US IE AU NZ CA IN ZA AT CH BE BR MX AR CL CO PE SE DK NO CZ SI EE GR UA JP CN KR TW " +
  "DE FR ES IT PT NL PL FI HU RO BG HR SK LT LV LU TR RU"
).split(" ");

/** Other names of countries, and their adjectives. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ england: "en-GB", "great britain": "en-GB", british: "en-GB", usa: "en-US" },
  ...{ america: "en-US", american: "en-US", holland: "nl-NL", swiss: "de-CH", turkey: "tr-TR" },
  ...{ austrian: "de-AT", "czech republic": "cs-CZ", brazilian: "pt-BR", mexican: "es-MX" },
};

/** Returns the code of a language for its name, in English or in itself; null for other text. */
export function languageNamed(text: string): string | null {
  return (
    LANGUAGES.find((code) => isNamed(text, code, "en")) ??
    LANGUAGES.find((code) => isNamed(text, code, code)) ??
    null
  );
}

/** Returns the locale of a country for its name, in English or in its own language; null for other text. */
export function localeOfCountryNamed(text: string): string | null {
  const word = text.trim().toLowerCase();
  if (Object.hasOwn(WORDS, word)) return WORDS[word] ?? null;
  const country =
    COUNTRIES.find((code) => isNamed(text, code, "en")) ??
    COUNTRIES.find((code) => isNamed(text, code, localeIn(code).slice(0, 2)));
  return country === undefined ? null : localeIn(country);
}

/** Returns the locale that a text between quotes means, such as de-DE for `Germany`; null for other text. */
export function localeNamed(text: string): string | null {
  const known = [...LANGUAGES, ...COUNTRIES].find((code) => isNamed(text, code, "en"));
  if (known !== undefined) return known === known.toLowerCase() ? known : localeIn(known);
  return localeOfCountryNamed(text) ?? languageNamed(text);
}

function localeIn(country: string): string {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  return localeOfCountry(country) ?? `${language}-${country}`;
}

/** The names of languages and countries in a language, which take long to load. */
const NAMES = new Map<string, Intl.DisplayNames>();

/** Whether a text is the name of a language, whose code has small letters, or of a country. */
function isNamed(text: string, code: string, inLanguage: string): boolean {
  const type = code === code.toLowerCase() ? "language" : "region";
  const key = `${inLanguage} ${type}`;
  const names = NAMES.get(key) ?? new Intl.DisplayNames(inLanguage, { type });
  NAMES.set(key, names);
  return names.of(code)?.toLowerCase() === text.trim().toLowerCase();
}
