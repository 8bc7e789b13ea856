import { type Correction, rewrite } from "../rewrites.ts";
import { PATH, TEXT, VALUE } from "../written.ts";

/** Values in place of missing ones, and languages, in a place where the language does not have them. */
export const FALLBACKS: readonly Correction[] = [
  // `phone :: default(mobile, office)`.
  rewrite(
    String.raw`^(${PATH})\s*::\s*default\(\s*(${PATH}(?:\s*,\s*${VALUE})+)\s*\)`,
    ([, value, others = ""]) => `${value} ?? ${others.split(/\s*,\s*/).join(" ?? ")}`,
  ),
  // `currency(currency || "EUR")`.
  rewrite(
    String.raw`(?<=::.*(?<!when|bold|italic|underline|strike)\([^()]*)(${PATH})\s*(?:\|\||\sor\s)\s*(?=${VALUE}\s*[,)])`,
    ([, value]) => `${value} ?? `,
  ),
  // `phone ?? mobile "none"` and `phone :: ?? "none"`.
  rewrite(
    String.raw`(?<=\?\?\s*)(${PATH})\s+(${TEXT})(?=\s*(?:$|::))`,
    ([, value, text]) => `${value} ?? ${text}`,
  ),
  rewrite(String.raw`\s*::\s*(?=\?\?)`, () => " "),
  // `format("long", language)`.
  rewrite(
    String.raw`(?<=::.*)(format|number)\(\s*(${TEXT}|\d+)\s*,\s*(${PATH}|${TEXT})\s*\)`,
    ([, name, pattern, language = ""]) =>
      /^["'](?![a-z]{2}(?:-[A-Za-z]{2})?["']$)/.test(language)
        ? null
        : `${name}(${pattern}), locale(${language})`,
  ),
];
