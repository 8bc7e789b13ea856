/** The locales of countries whose codes authors write in place of a language. */
const LOCALES: Readonly<Record<string, string>> = {
  ...{ UK: "en-GB", GB: "en-GB", US: "en-US", IE: "en-IE", AU: "en-AU", NZ: "en-NZ" },
  ...{ CA: "en-CA", IN: "en-IN", ZA: "en-ZA", AT: "de-AT", CH: "de-CH", BE: "nl-BE" },
  ...{ BR: "pt-BR", MX: "es-MX", AR: "es-AR", CL: "es-CL", CO: "es-CO", PE: "es-PE" },
  ...{ SE: "sv-SE", DK: "da-DK", NO: "nb-NO", CZ: "cs-CZ", SI: "sl-SI", EE: "et-EE" },
  ...{ GR: "el-GR", UA: "uk-UA", JP: "ja-JP", CN: "zh-CN", KR: "ko-KR", TW: "zh-TW" },
};

/** Returns the locale of a country for its code, such as en-GB for UK; null for other text. */
export function localeOfCountry(code: string): string | null {
  const country = code.toUpperCase();
  return Object.hasOwn(LOCALES, country) ? (LOCALES[country] ?? null) : null;
}
