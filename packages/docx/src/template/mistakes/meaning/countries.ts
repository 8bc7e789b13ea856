import type { Diagnostic } from "@quire/contracts";
import { localeOfCountry } from "../../../format/country-locales.ts";
import { checkLocale } from "../../../format/format-pattern.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

/** Warns about `locale("UK")`, which is the language Ukrainian. Codes that are not of a language are errors. */
export function countryAsLocale(tag: TagNode): Diagnostic | null {
  if (tag.directive.kind !== "value") return null;
  const locale = tag.directive.modifiers.find(({ name }) => name === "locale");
  const given = locale?.arguments[0]?.value;
  const meant = given === undefined ? null : localeOfCountry(given);
  if (meant === null || given === undefined || checkLocale(given) !== null) return null;
  const language = new Intl.DisplayNames("en", { type: "language" }).of(given.toLowerCase());
  const message = `In the tag ${tag.text}, '${given}' is the language ${language}, not a country.`;
  const problem = tagProblem(tag, "doubtful_sign", message, `For the country write "${meant}".`);
  return { ...problem, severity: "warning" };
}
