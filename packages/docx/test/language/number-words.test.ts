import { expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { compileText } from "../../src/compile-text.ts";
import { expressionsOf, parseDirective } from "../../src/language/directive.ts";
import { writesWords } from "../../src/language/grammar/expression.ts";
import { outcome, printed } from "../support/language.ts";
import icu from "./icu-words.json" with { type: "json" };

test.each([
  ["en-US", "one thousand two hundred thirty-four point five"],
  ["de-CH", "eintausendzweihundertvierunddreissig Komma fünf"],
  ["fr-FR", "mille deux cent trente-quatre virgule cinq"],
  ["es-MX", "mil doscientos treinta y cuatro punto cinco"],
  ["pl", "tysiąc dwieście trzydzieści cztery przecinek pięć"],
  ["nb-NO", "tusen to hundre og trettifire komma fem"],
  ["ja", "千二百三十四・五"],
  ["zh-TW", "一千二百三十四點五"],
  ["hi-IN", "एक हज़ार दो सौ चौंतीस दशमलव पाँच"],
])("{{n.words()}} in %s", async (locale, expected) => {
  expect(await printed("{{n.words()}}", { n: "1234.5" }, { locale })).toBe(expected);
});

test.each([
  ["de", "einundzwanzigste"],
  ["sv", "tjugoförsta"],
  ["it", "ventunesimo"],
  ["nl", "eenentwintigste"],
  ["pt", "vigésimo primeiro"],
  ["el", "εικοστός πρώτος"],
  ["fi", "kahdeskymmenesensimmäinen"],
])("{{n.ordinalWords()}} in %s", async (locale, expected) => {
  expect(await printed("{{n.ordinalWords()}}", { n: 21 }, { locale })).toBe(expected);
});

test.each([
  ["{{n.ordinalWords()}}", "twenty-first"],
  ["{{n.ordinal()}}", "21st"],
  ["{{n.roman()}}", "XXI"],
  ["{{n :: words}}", "twenty-one"],
  ["{{$words(n)}}", "twenty-one"],
  ["{{big.words()}}", "one thousand two hundred thirty"],
  ['{{big.words("verbose")}}', "one thousand two hundred and thirty"],
  ['{{n.words() :: locale("de")}}', "einundzwanzig"],
  ["{{[1, 2].sum().words().uppercase()}}", "THREE"],
  ["{{for i in l}}{{$number.words()}} {{endfor}}", "one two "],
  ["{{l.map(q.words()).join()}}", "five, six"],
  ['{{if n.ordinal() == "21st"}}yes{{endif}}', "yes"],
])("%s", async (text, expected) => {
  const data = { n: 21, big: 1230, l: [{ q: 5 }, { q: 6 }] };
  expect(await printed(text, data)).toBe(expected);
});

// The words of ICU 72 (`RuleBasedNumberFormat`), without soft hyphens. Ordinals: only the numbers below 100,000.
test.each(Object.entries(icu.languages))("the words of ICU in %s", async (locale, expected) => {
  const words = await printed('{{numbers.map(this.words()).join("|")}}', icu, { locale });
  expect(words).toBe(expected.words);
  if (!("ordinalWords" in expected)) return;
  const text = '{{numbers.where(this < 100000).map(this.ordinalWords()).join("|")}}';
  expect(await printed(text, icu, { locale })).toBe(expected.ordinalWords);
});

test.each([
  ["es", "feminine", "veintiuna"],
  ["es", "masculine", "veintiún"],
  ["fr", "feminine", "vingt-et-une"],
  ["pl", "masculine-genitive", "dwudziestu jeden"],
  ["ja", "financial", "弐拾壱"],
])("the form of the words is an argument: %s %s", async (locale, form, expected) => {
  const text = "{{n.words(form)}}";
  expect(await printed(text, { n: 21, form }, { locale })).toBe(expected);
});

test.each([
  ["{{n.words()}}", 5, "xh", "CLDR has no words of numbers for 'xh'"],
  ["{{n.ordinalWords()}}", 5, "ro", "CLDR has no ordinals in words for 'ro'"],
  ["{{n.ordinalWords()}}", -1, "en", "only whole numbers from zero have an ordinal"],
  ["{{n.ordinal()}}", 1.5, "en", "only whole numbers from zero have an ordinal"],
  ["{{n.roman()}}", 4000, "en", "only whole numbers from 1 to 3999 have Roman numerals"],
  ["{{n.letter()}}", 0, "en", "only whole numbers from 1 to 1,000,000 have letters"],
  ["{{n.letter()}}", -1, "en", "only whole numbers from 1 to 1,000,000 have letters"],
  ["{{n.letter()}}", 1.5, "en", "only whole numbers from 1 to 1,000,000 have letters"],
  ["{{n.letter()}}", 1_000_001, "en", "only whole numbers from 1 to 1,000,000 have letters"],
  ["{{n.letter()}}", "x", "en", "$letter needs numbers, but got text that is not a number"],
  ["{{n.power(0.5)}}", 2, "en", "$power needs a whole number from -10,000 to 10,000"],
  ["{{n.power(10000)}}", 2, "en", "a result has more than 400 digits"],
  ["{{n.power(-1)}}", 0, "en", "a number cannot be divided by zero"],
  ["{{n.words()}}", "x", "en", "$words needs numbers, but got text that is not a number"],
  ["{{n.words()}}", "1".repeat(40), "en", "the number is too large for words"],
  ['{{n.words("neuter")}}', 5, "es", "its forms are year, masculine, feminine"],
])("%s of %s in %s is an error", async (text, n, locale, expected) => {
  const { warnings } = await outcome(p(text), { n }, { locale });
  expect(warnings[0]?.message).toContain(expected);
});

test.each([
  ["{{n.round(0)}}", -2.5, "-3"],
  ['{{n.round(0, "up")}}', -2.1, "-3"],
  ['{{n.round(1, "down")}}', 2.59, "2.5"],
  ['{{n.round(0, "half-even")}}', 2.5, "2"],
  ['{{n.round(0, "floor")}}', -2.1, "-3"],
  ['{{n.round(1, "floor")}}', 2.19, "2.1"],
  ['{{n.round(0, "ceiling")}}', -2.9, "-2"],
  ['{{n.round(0, "ceiling")}}', 2.1, "3"],
  ["{{n.round(0, mode)}}", 2.1, "3"],
])("%s of %s is %s", async (text, n, expected) => {
  expect(await printed(text, { n, mode: "up" })).toBe(expected);
});

test.each([
  [1, "A"],
  [2, "B"],
  [26, "Z"],
  [27, "AA"],
  [28, "AB"],
  ["52", "AZ"],
  [53, "BA"],
  [702, "ZZ"],
  [703, "AAA"],
  [1_000_000, "BDWGN"],
])("the letter of %s is %s, as in spreadsheets", async (n, expected) => {
  expect(await printed("{{n.letter()}}", { n })).toBe(expected);
  expect(await printed("{{$letter(n) :: lowercase}}", { n })).toBe(expected.toLowerCase());
});

test.each([
  ["de", 21, "21."],
  ["de", 1234, "1.234."],
  ["de-CH", 21, "21."],
  ["cs", 3, "3."],
  ["nb-NO", 1, "1."],
  ["fi", 100, "100."],
  ["fr", 1, "1er"],
  ["pt-PT", 2, "2º"],
  ["en-IN", 2, "2nd"],
])("the ordinal in digits in %s: %s is %s", async (locale, n, expected) => {
  expect(await printed("{{n.ordinal()}}", { n }, { locale })).toBe(expected);
});

test.each(["fa", "mk", "xh"])("without ordinals in digits, %s has a hint", async (locale) => {
  const { warnings } = await outcome(p("{{n.ordinal()}}"), { n: 5 }, { locale });
  expect(warnings[0]?.message).toContain(`CLDR has no ordinals in digits for '${locale}'`);
  expect(warnings[0]?.hint).toContain("Write the ending after the number");
});

test("an unknown way of rounding is an error that lists the others", async () => {
  const { warnings } = await outcome(p('{{n.round(0, "nearest")}}'), { n: 1.5 });
  expect(warnings[0]?.message).toContain(
    '$round rounds "up", "down", "floor", "ceiling", "half-even"',
  );
});

test.each([
  ["n.words()", true],
  ["$ordinal(n)", true],
  ["n :: words", true],
  ["items.map(price.words()).join()", true],
  ["if n.ordinal() == '1st'", true],
  ["for i in items.sort(n.words())", true],
  ["x :: default(n.words())", true],
  ["x :: bold(n.words() == 'one')", true],
  ["keywords", false],
  ["words", false],
  ["data.ordinal", false],
  ['x :: default("words()")', false],
])("the words are loaded only for tags that call their functions: {{%s}}", (tag, expected) => {
  const directive = parseDirective(tag, { bareNames: false });
  expect(expressionsOf(directive).some(writesWords)).toBe(expected);
});

test("plain text has no words of numbers, because it is compiled at once", () => {
  expect(() => compileText("{{n.roman()}}").render({ n: 4 })).not.toThrow();
});
