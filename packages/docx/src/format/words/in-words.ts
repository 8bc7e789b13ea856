import { type Decimal, decimalText } from "../decimal.ts";
import { createCache, remember } from "../remember.ts";
import { hasNumberWords, type RuleGroup, rulesFor } from "./languages.ts";
import type { RuleSet } from "./rules.ts";
import { NoWordsError, type Speller, spellOut } from "./spell-out.ts";

/** A way of writing a number: *twenty-one*, *twenty-first* or *21st*. */
export type WordKind = "words" | "ordinalWords" | "ordinal";

/** The names of the sets of rules, without a form such as `feminine`. Of the first set that exists, all are forms. */
const SETS: Readonly<Record<WordKind, { group: RuleGroup; names: readonly string[] }>> = {
  words: { group: "SpelloutRules", names: ["%spellout-numbering", "%spellout-cardinal"] },
  ordinalWords: { group: "SpelloutRules", names: ["%spellout-ordinal"] },
  ordinal: { group: "OrdinalRules", names: ["%digits-ordinal"] },
};

/**
 * Writes a number with the rules of CLDR for a language.
 *
 * @param form A form of the language's words, such as `feminine`; null for the form in which people count.
 * @throws {NoWordsError} The language, the form or the number has no words.
 */
export function inWords(
  number: Decimal,
  { kind, form, locale }: { kind: WordKind; form: string | null; locale: string },
): string {
  const { group, names } = SETS[kind];
  if (!hasNumberWords()) {
    throw new NoWordsError(
      "numbers in words are not available here, only in templates of documents",
    );
  }
  const sets = rulesFor(locale, group);
  if (sets === null) throw noRules(kind, locale);
  const set =
    form === null
      ? usualSet(sets, names)
      : names.map((name) => `${name}-${form}`).find((name) => sets.has(name));
  if (set === undefined) throw noForm(form, formsOf(sets, names), locale);
  const [, sign, whole = "", decimals = ""] =
    /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimalText(number)) ?? [];
  if (kind !== "words" && (sign === "-" || decimals !== "")) {
    throw new NoWordsError("only whole numbers from zero have an ordinal");
  }
  const speller = spellerFor(sets, kind, locale);
  const parts = { isNegative: sign === "-", whole: BigInt(whole), decimals };
  // Soft hyphens would be visible in Word.
  return spellOut(speller, set, parts).replaceAll("\u00AD", "");
}

const spellers = createCache<Speller>();

function spellerFor(sets: ReadonlyMap<string, RuleSet>, kind: WordKind, locale: string): Speller {
  return remember(spellers, `${kind} ${locale}`, () => {
    const numbers = new Intl.NumberFormat(locale);
    const plurals = {
      cardinal: new Intl.PluralRules(locale),
      ordinal: new Intl.PluralRules(locale, { type: "ordinal" }),
    };
    return {
      sets,
      plural: (type, number) => plurals[type].select(pluralOperand(number)),
      decimalPoint: numbers.format(1.5).includes(",") ? "," : ".",
      digits: kind === "ordinal" ? (number) => numbers.format(number) : null,
    };
  });
}

/** The plural forms of all languages depend on the last six digits, and on whether there are more. */
function pluralOperand(number: bigint): number {
  const limit = 1_000_000n;
  return Number(number < limit ? number : limit + (number % limit));
}

/** Forms for words without a noun, for languages in which all words have a form. `reale` is the Swedish common gender. */
const USUAL_FORMS = ["common", "reale", "masculine"];

/** Returns the set for counting; if the language has only forms, a usual one or the first one. */
function usualSet(
  sets: ReadonlyMap<string, RuleSet>,
  names: readonly string[],
): string | undefined {
  const [first = ""] = formsOf(sets, names);
  const usual = [...USUAL_FORMS, first].flatMap((form) => names.map((name) => `${name}-${form}`));
  return [...names, ...usual].find((name) => sets.has(name));
}

function formsOf(sets: ReadonlyMap<string, RuleSet>, names: readonly string[]): string[] {
  const forms = names.flatMap((name) =>
    [...sets.keys()].flatMap((set) =>
      set.startsWith(`${name}-`) ? set.slice(name.length + 1) : [],
    ),
  );
  return [...new Set(forms)];
}

function noRules(kind: WordKind, locale: string): NoWordsError {
  if (kind !== "ordinal") return new NoWordsError(`CLDR has no words of numbers for '${locale}'`);
  const others = rulesFor(locale, "SpelloutRules");
  const hasWords = others !== null && usualSet(others, SETS.ordinalWords.names) !== undefined;
  return new NoWordsError(`CLDR has no ordinals in digits for '${locale}'`, (number) => {
    const ending = "Write the ending after the number, outside the tag";
    return hasWords
      ? `${ending}, or write the ordinal in words: ${number}.ordinalWords().`
      : `${ending}.`;
  });
}

function noForm(form: string | null, forms: readonly string[], locale: string): NoWordsError {
  if (form === null) {
    const hasDigits = rulesFor(locale, SETS.ordinal.group) !== null;
    return new NoWordsError(`CLDR has no ordinals in words for '${locale}'`, (number) =>
      hasDigits
        ? `Write the ordinal in digits: ${number}.ordinal().`
        : `Write the number in words, ${number}.words(), or in figures with the ending after the tag.`,
    );
  }
  if (/^(?:words?|text)$/i.test(form))
    return new NoWordsError(
      `'${locale}' has no form '${form}' for this`,
      (number) => `Write the ordinal in words: ${number}.ordinalWords().`,
    );
  const known = forms.length === 0 ? "it has no forms" : `its forms are ${forms.join(", ")}`;
  return new NoWordsError(`'${locale}' has no form '${form}' for this; ${known}`);
}
