import { QuireError } from "@quire/contracts";
import { type RawRules, type RuleSet, readRules } from "./rules.ts";

/** The sets of rules in one file of `cldr-rbnf`, in their two groups. */
type Groups = Readonly<Record<string, Readonly<Record<string, RawRules>>>>;

/** The rules of CLDR for words and for the endings of digits ("1st"). */
export type RuleGroup = "SpelloutRules" | "OrdinalRules";

/** The files of `cldr-rbnf`. */
const FILES = `
  af ak am ar az be bg bs ca ccp chr cs cy da de-CH de ee el en-IN en eo es-419 es et fa-AF fa ff fi fil fo fr-BE fr-CH fr
  ga gu he hi hr hu hy id is it ja ka kk kl km ko ky lb lo lrc lt lv mk ms mt my ne nl nn no pl pt-PT pt qu ro ru se sk sl
  sq sr-Latn sr su sv sw ta th tr uk und vec vi yue-Hans yue zh-Hant zh`;

/**
 * The languages whose ordinals in digits end with a full stop. CLDR has this rule for all languages without rules of
 * their own, which is right only for these: for others, it would be a mistake.
 */
const WITH_FULL_STOP: ReadonlySet<string> = new Set(
  "bs cs da de et fi fo hr hu is lb lv nb nn no pl sk sl sr tr".split(" "),
);

let files: ReadonlyMap<string, Groups> | null = null;

/**
 * Loads the rules of all languages. Rendering does not wait for anything, so a template that needs the rules loads them
 * when it is compiled. Rejects with `unavailable` if their package is not installed.
 */
export async function loadNumberWords(): Promise<void> {
  files ??= new Map(await Promise.all(FILES.trim().split(/\s+/).map(loadFile)));
}

async function loadFile(name: string): Promise<readonly [string, Groups]> {
  try {
    const file = await import(/* @vite-ignore */ `cldr-rbnf/rbnf/${name}.json`, {
      with: { type: "json" },
    });
    return [name, file.default.rbnf.rbnf];
  } catch (cause) {
    throw new QuireError(
      "unavailable",
      "The template writes numbers in words, but the package cldr-rbnf is not installed. Install it next to @quire/docx, or use @quire/core, which includes it.",
      { cause },
    );
  }
}

const read = new Map<string, ReadonlyMap<string, RuleSet>>();

/**
 * Returns the sets of rules for a locale, by their names; null if CLDR has none for the language. Call
 * {@link loadNumberWords} first.
 */
export function rulesFor(locale: string, group: RuleGroup): ReadonlyMap<string, RuleSet> | null {
  const general = group === "OrdinalRules" && hasFullStop(locale) ? ["und"] : [];
  const name = [...fileNames(locale), ...general].find(
    (each) => files?.get(each)?.[group] !== undefined,
  );
  if (name === undefined) return null;
  const key = `${name} ${group}`;
  const sets = read.get(key) ?? readSets(files?.get(name)?.[group] ?? {});
  read.set(key, sets);
  return sets;
}

/** Whether the rules of all languages have been loaded. */
export function hasNumberWords(): boolean {
  return files !== null;
}

/** Returns the files for a locale, the most specific one first, in CLDR's order of inheritance. */
function fileNames(locale: string): string[] {
  const { language, region, script } = new Intl.Locale(locale).maximize();
  const names = [`${language}-${region}`, `${language}-${script}`];
  // CLDR's parent locales: the Portuguese of other countries than Brazil, and the Spanish of America.
  if (language === "pt" && region !== "BR") names.push("pt-PT");
  if (language === "es" && region !== "ES" && region !== "GQ") names.push("es-419");
  return [...names, language === "nb" ? "no" : language];
}

/** Whether CLDR's general rule for ordinals in digits is right for a locale. */
function hasFullStop(locale: string): boolean {
  return WITH_FULL_STOP.has(new Intl.Locale(locale).language);
}

function readSets(group: Readonly<Record<string, RawRules>>): ReadonlyMap<string, RuleSet> {
  const sets = Object.entries(group).filter(
    ([name, rules]) => Array.isArray(rules) && name !== "%%lenient-parse",
  );
  return new Map(sets.map(([name, rules]) => [name, readRules(rules)]));
}
