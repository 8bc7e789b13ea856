import type { Diagnostic } from "@quire/contracts";
import { localeOfCountry } from "../../../format/country-locales.ts";
import { checkLocale } from "../../../format/format-pattern.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Codes of languages that authors write for a country. Other codes of both kinds mean the language in small letters. */
const DOUBTFUL = /^(?:uk|se|ee|si|br|ca|be)$/;

/** Warns about `locale("UK")`, which is the language Ukrainian. Codes that are not of a language are errors. */
export function countryAsLocale(tag: TagNode): Diagnostic | null {
  if (tag.directive.kind !== "value") return null;
  const locale = tag.directive.modifiers.find(({ name }) => name === "locale");
  const given = locale?.arguments[0]?.value;
  const meant = given === undefined ? null : localeOfCountry(given);
  if (meant === null || given === undefined || checkLocale(given) !== null) return null;
  const small = given.toLowerCase();
  if (given !== given.toUpperCase() && !DOUBTFUL.test(small)) return null;
  const language = nameOf("language", small);
  const message = `In the tag ${tag.text}, '${given}' is the language ${language}, not a country.`;
  const hint =
    given === small
      ? `For ${nameOf("region", given)} write ${localesOf(given, meant)}, and for ${language} locale("${inItsCountry(small)}").`
      : `For the country write "${meant}".`;
  return { ...tagProblem(tag, "doubtful_sign", message, hint), severity: "warning" };
}

function nameOf(type: "language" | "region", code: string): string {
  const isRegion = type === "region";
  const name = new Intl.DisplayNames("en", { type }).of(isRegion ? code.toUpperCase() : code);
  return `${isRegion && code === "uk" ? "the " : ""}${name}`;
}

function localesOf(country: string, locale: string): string {
  return country === "be" ? `locale("${locale}") or locale("fr-BE")` : `locale("${locale}")`;
}

/** Returns a language with the country where most people speak it, such as uk-UA. */
function inItsCountry(language: string): string {
  return `${language}-${new Intl.Locale(language).maximize().region}`;
}
