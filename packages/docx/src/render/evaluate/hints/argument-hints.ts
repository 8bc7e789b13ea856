import { localeOfCountry } from "../../../format/country-locales.ts";
import { kindOf } from "../../../format/print.ts";
import {
  type Expression,
  isPlainName,
  type PathExpression,
} from "../../../language/grammar/expression.ts";
import { MODIFIERS, type Signature } from "../../../language/grammar/modifier-signatures.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { ModifierCall } from "../../../language/modifiers.ts";
import { argumentProblem } from "../../../values/arguments/modifier-arguments.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { hasOwn } from "../context/scope.ts";

/**
 * Returns the hint for a number that is missing, as in `percent(digits)`; null for other arguments. `suggest`: returns
 * the hint with a similar name.
 */
export function countMissing(
  modifiers: readonly ModifierCall[],
  path: PathExpression,
  env: Evaluation,
  suggest: () => string | null,
): string | null {
  if (hasOwn(env.data, path.source)) return null;
  for (const { name, arguments: given } of modifiers) {
    const index = given.findIndex(({ expression }) => expression === path);
    const { arguments: kinds, example }: Signature = MODIFIERS[name];
    if (index === -1 || (kinds[index] !== "number" && !(name === "number" && index === 0)))
      continue;
    if (index > 0)
      return `Add '${path.source}' to the data, or write ${path.source} ?? 2 in its place.`;
    const near = suggest();
    const [, meant = ""] = /^Did you mean '([^']+)'\?$/.exec(near ?? "") ?? [];
    const isNumber = hasOwn(env.data, meant) && kindOf(env.data[meant]) === "number";
    const count = /^\((\d+)/.exec(example)?.[1] ?? "2";
    return `${isNumber ? `${near} Otherwise add` : "Add"} '${path.source}' to the data, or write ${name}(${path.source} ?? ${count}).`;
  }
  return null;
}

/** Returns the hint for a list in place of one value, and for the name of a language; null for other arguments. */
export function otherArgument(
  name: ModifierCall["name"],
  path: PathExpression,
  value: unknown,
  env: Evaluation,
): string | null {
  if (Array.isArray(value)) return ofOneItem(name, path, env);
  if (typeof value !== "string") return null;
  if (name === "format" && /^[a-z]{2}(?:[-_][A-Za-z]{2})?$/.test(value))
    return `For a language write format("long"), locale(${path.source}).`;
  return name === "locale" ? localeMeant(path.source, value) : null;
}

/** Returns the hint for text of the data that is not the tag of a language, such as the name of a country. */
function localeMeant(source: string, value: string): string {
  if (value.trim() === "")
    return `It is empty text: write locale($if(${source}, ${source}, "en-GB")).`;
  const tag = value.replaceAll("_", "-");
  return argumentProblem("locale", 0, { kind: "string", value: tag }) === null
    ? `Language tags have a hyphen: write locale(${source}.replace("_", "-")).`
    : `Put a language tag such as en-GB into the data, or choose one in the tag: ${chosenLocale(source)}.`;
}

/** Returns the argument that chooses one of two locales. */
function chosenLocale(source: string): string {
  return `locale($if(${source} == "…", "de-DE", "en-GB"))`;
}

const COUNTRY = /(?:^|[._])(?:country|nation|land|staat|pays|pais)(?:[._]?code)?$/i;

/**
 * Records a locale of the data that is the code of a country, as its key says, although the same code means the language
 * of another country: `UK` is Ukrainian.
 */
export function noteCountry(
  name: ModifierCall["name"],
  of: Expression,
  value: unknown,
  env: Evaluation,
): void {
  if (name !== "locale" || of.kind !== "path" || typeof value !== "string") return;
  if (!/^[a-z]{2}$/i.test(value) || !COUNTRY.test(of.source)) return;
  const meant = localeOfCountry(value);
  if (meant === null || meant.startsWith(`${value.toLowerCase()}-`)) return;
  env.doubts.push({
    code: "doubtful_sign",
    message: (tag) =>
      `The tag ${tag} reads the code of a country in '${of.source}' as the language of another country.`,
    hint: `A locale begins with a language: put a language tag such as en-GB into the data, or choose one in the tag: ${chosenLocale(of.source)}.`,
    pointers: [pointerOf(of, env)],
    isMissing: false,
  });
}

/** Returns the hint for a list in place of the value of one item, as in `currency(invoices.currency)`; or null. */
function ofOneItem(
  name: ModifierCall["name"],
  { source, head, rest }: PathExpression,
  { data, scope }: Evaluation,
): string | null {
  if (head === null || rest.length === 0 || !Array.isArray(data[head])) return null;
  const keys = source.slice(head.length);
  for (let at = scope; at !== null; at = at.outer) {
    if (at.alias === head) return null;
    if (at.items === data[head] && at.alias !== null)
      return `For the value of the item write ${name}(${at.alias}${keys}).`;
  }
  return `For the ${name} of the first item write ${head}[0]${keys}.`;
}

/** Returns the hint for an object of the data in place of its key with the code of a currency; null if it has none. */
export function currencyIn(source: string, object: object): string | null {
  const key = Object.keys(object).find((each) => {
    const value: unknown = Object.getOwnPropertyDescriptor(object, each)?.value;
    return isPlainName(each) && typeof value === "string" && /^[A-Z]{3}$/.test(value);
  });
  return key === undefined
    ? null
    : `Name the key of the object with the code: write currency(${source}.${key}).`;
}

/** Returns the hint for the code of a currency with spaces around it, and for empty text; null for other texts. */
export function currencyOfText(expression: Expression, value: string): string | null {
  const path = expression.kind === "fallback" ? expression.left : expression;
  if (path.kind !== "path") return null;
  const { source } = path;
  const code = value.trim();
  if (code === "") {
    const instead = expression.kind === "fallback" ? spellExpression(expression.right) : '"EUR"';
    const why =
      expression.kind === "fallback" ? "'??' replaces only a missing value" : "It is empty text";
    return `${why}: write currency($if(${source}, ${source}, ${instead})).`;
  }
  const isCode = argumentProblem("currency", 0, { kind: "string", value: code }) === null;
  return code !== value && isCode
    ? `The code has spaces around it: write currency(${source}.trim()).`
    : null;
}
