import { type Wording, withTags } from "./delimiters/wording.ts";
import { argumentsMeant, quotedCondition } from "./mistakes/arguments.ts";
import { type CallWithoutList, callMeant, callWithoutList } from "./mistakes/calls.ts";
import { choiceMeant } from "./mistakes/choices.ts";
import { conditionMeant } from "./mistakes/conditions.ts";
import { OF_ARROWS } from "./mistakes/elsewhere/arrows.ts";
import { BARE_TEXTS } from "./mistakes/elsewhere/bare-texts.ts";
import { OF_CARBONE } from "./mistakes/elsewhere/carbone.ts";
import { CLAUSES, WHEN } from "./mistakes/elsewhere/clauses.ts";
import { DATE_QUESTIONS } from "./mistakes/elsewhere/date-questions.ts";
import { FALLBACKS } from "./mistakes/elsewhere/fallbacks.ts";
import { OF_HANDLEBARS } from "./mistakes/elsewhere/handlebars.ts";
import { OF_JAVASCRIPT } from "./mistakes/elsewhere/javascript.ts";
import { OF_JSONATA } from "./mistakes/elsewhere/jsonata.ts";
import { LOOK_SLIPS, lookAlone } from "./mistakes/elsewhere/look-slips.ts";
import { OTHER_FUNCTIONS, signMeant } from "./mistakes/elsewhere/other-functions.ts";
import { OTHER_MODIFIERS } from "./mistakes/elsewhere/other-modifiers.ts";
import { withOwnPatterns } from "./mistakes/elsewhere/other-patterns.ts";
import { OTHER_TAGS } from "./mistakes/elsewhere/other-tags.ts";
import { noteInWords, phraseHint } from "./mistakes/elsewhere/phrase-hints.ts";
import { PHRASES } from "./mistakes/elsewhere/phrases.ts";
import { pipesMeant } from "./mistakes/elsewhere/pipes.ts";
import { OF_PUBLISHER } from "./mistakes/elsewhere/publisher.ts";
import { SIGNS_AROUND } from "./mistakes/elsewhere/signs.ts";
import { OF_SPREADSHEETS } from "./mistakes/elsewhere/spreadsheets.ts";
import { TABLE_LOOPS } from "./mistakes/elsewhere/table-loops.ts";
import { columnWidth, VALUE_SLIPS } from "./mistakes/elsewhere/value-slips.ts";
import { WORD_FIELDS } from "./mistakes/elsewhere/word-fields.ts";
import { includeMeant } from "./mistakes/includes.ts";
import { INNER_MODIFIERS } from "./mistakes/inner-modifiers.ts";
import { LIST_CALLS } from "./mistakes/list-calls.ts";
import { bracketsMeant, listedConditions, listedFallbacks, sortMeant } from "./mistakes/lists.ts";
import { lookMeant } from "./mistakes/looks.ts";
import { repetitionMeant } from "./mistakes/loops.ts";
import { noteOn, sliceOfText } from "./mistakes/notes.ts";
import { noteOnAnswer, officeHint } from "./mistakes/office/hints.ts";
import { OFFICE_SYNTAX } from "./mistakes/office/syntax.ts";
import { otherHint } from "./mistakes/other-hints.ts";
import { prefixMeant } from "./mistakes/prefixes.ts";
import { callsIn } from "./mistakes/read-calls.ts";
import type { Correction } from "./mistakes/rewrites.ts";
import { ELEMENTS, SLIPS } from "./mistakes/slips.ts";
import { fallbackMeant, joinMeant, operatorMeant } from "./mistakes/texts.ts";
import { WORDS_BESIDE } from "./mistakes/words-beside.ts";
import { NAME, PATH, TEXT, Written } from "./mistakes/written.ts";

/** Separates arguments in the spreadsheets of many countries. */
const SEMICOLON = String.raw`(?<=\([^)]*);(?=[^(]*\))`;

/** Corrections of mistakes that another message explains better, but that a tag may have together with others. */
const SMALL: readonly Correction[] = [
  (tag) => tag.replace("(?<![=!<>])=(?:==)?(?![=<>])", () => "=="),
  (tag) => tag.replace("!==", () => "!="),
  (tag) => tag.replace("<>", () => "!="),
  (tag) => tag.replace("=<", () => "<="),
  // A comma before decimals.
  (tag) =>
    tag.replace(
      String.raw`(?<=[-+*/]\s*)(\d+),(\d+)(?=\s*(?:$|[-+*/)]|::))`,
      ([, whole, decimals]) => `${whole}.${decimals}`,
    ),
  (tag) => tag.replace(SEMICOLON, () => ","),
];

/** `=total`, `a?.b`, `1000€` and `customer::name`. */
function signsMeant(tag: Written): string | null {
  return (
    tag.replace(String.raw`^=\s*(?=.*[^=]$)`, () => "") ??
    tag.replace(String.raw`\?\.(?=[\p{L}_])`, () => ".") ??
    tag.replace(SEMICOLON, () => ",") ??
    tag.replace(String.raw`(?<=\d)\s*[€£¥$](?![\p{L}_])|[€£¥]\s*(?=\d)`, () => "") ??
    tag.replace(`^(${PATH})::(${NAME})$`, ([, path, key]) => `${path}.${key}`)
  );
}

const CORRECTIONS: readonly Correction[] = [
  signMeant,
  ...OFFICE_SYNTAX,
  ...LOOK_SLIPS,
  ...WORD_FIELDS,
  ...WORDS_BESIDE,
  ...SIGNS_AROUND,
  ...TABLE_LOOPS,
  ...BARE_TEXTS,
  ...CLAUSES,
  ...WHEN,
  ...PHRASES,
  ...SLIPS,
  ...VALUE_SLIPS,
  ...FALLBACKS,
  ...ELEMENTS,
  ...OF_SPREADSHEETS,
  ...OF_HANDLEBARS,
  ...OF_PUBLISHER,
  ...OF_CARBONE,
  ...OF_JAVASCRIPT,
  ...OTHER_TAGS,
  ...OF_ARROWS,
  ...LIST_CALLS,
  ...OF_JSONATA,
  ...INNER_MODIFIERS,
  ...DATE_QUESTIONS,
  ...OTHER_FUNCTIONS,
  ...OTHER_MODIFIERS,
  bracketsMeant,
  listedFallbacks,
  listedConditions,
  choiceMeant,
  repetitionMeant,
  pipesMeant,
  sortMeant,
  lookMeant,
  conditionMeant,
  includeMeant,
  quotedCondition,
  argumentsMeant,
  prefixMeant,
  callMeant,
  fallbackMeant,
  operatorMeant,
  joinMeant,
  signsMeant,
];

/** Longer tags are not quoted in a hint. */
const MAX_LENGTH = 120;
/** Maximum number of mistakes to correct in one tag. */
const MAX_MISTAKES = 4;

/**
 * Returns a hint with the whole tag as it was probably meant, for a tag with mistakes that come from other languages;
 * null if none is found. `isValid`: whether a text is the content of a valid tag.
 */
export function hintMeant(content: string, isValid: (text: string) => boolean): Wording | null {
  if (content.length > MAX_LENGTH) return null;
  const tag = withCommas(new Written(straight(content)));
  const own = columnWidth(tag) ?? officeHint(tag, isValid);
  if (own !== null) return own;
  const call = callWithoutList(tag);
  if (call !== null) return listNeeded(call);
  if (content.includes(";") && isValid(tag.text)) return withTags`Write {{${tag.text}}}.`;
  for (const correct of CORRECTIONS) {
    const first = correct(tag);
    const valid = first === null ? null : corrected(first, isValid);
    const meant =
      valid === null ? null : withoutRoot(tag, withToday(withCount(withOwnPatterns(valid))));
    if (meant?.startsWith("if ") && tag.text.startsWith("#"))
      return withTags`Write {{${meant}}} … {{endif}}.`;
    const part = meant === null ? null : sliceOfText(tag, meant);
    if (part !== null) return part;
    if (meant !== null)
      return withTags`${wordOf(tag, meant)}Write {{${meant}}}.${noteOf(tag, meant)}`;
  }
  return hintInWords(tag, isValid);
}

/** Returns a hint that is not only a corrected tag, or null. */
function hintInWords(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const own = appendedText(tag, isValid) ?? lookAlone(tag);
  return own ?? phraseHint(tag, isValid) ?? otherHint(tag, isValid);
}

/** Returns another sentence about a corrected tag, or an empty text. */
function noteOf(tag: Written, meant: string): Wording {
  const own = noteOnAnswer(tag);
  const note = own === "" ? noteInWords(tag, meant) : own;
  return note === "" ? noteOn(tag, meant) : note;
}

/** `name:upperCase:append('!')` and `total :: number(2) + " EUR"`: text belongs next to the tag. */
function appendedText(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, formatted = "", added = ""] =
    tag.match(String.raw`^([^:]+::.*?)\s*[+&]\s*(${TEXT})$`) ?? [];
  if (formatted !== "" && isValid(formatted))
    return withTags`Write the text after the tag: {{${formatted}}}${added.slice(1, -1)}`;
  const [, inner = "", side, text = ""] =
    tag.match(String.raw`^(${PATH}.*?)\s*:\s*(append|prepend)\(\s*(${TEXT})\s*\)$`) ?? [];
  const value = inner === "" ? null : corrected(inner, isValid);
  if (value === null) return null;
  const plain = text.slice(1, -1);
  return side === "append"
    ? withTags`Write the text after the tag: {{${value}}}${plain}`
    : withTags`Write the text before the tag: ${plain}{{${value}}}.`;
}

/** Returns a tag with `,` in place of `;` between the arguments of its functions. */
export function withCommas(tag: Written): Written {
  if (!tag.text.includes(";") || tag.text.includes("{")) return tag;
  const calls = callsIn(tag).filter(({ name }) => name !== "for");
  const signs = tag.findAll(";").map(([at]) => at);
  const separators = signs.filter((at) => {
    // A sign alone is an argument without quotes.
    const isAlone = /\(\s*$/.test(tag.text.slice(0, at)) && /^;\s*\)/.test(tag.text.slice(at));
    return !isAlone && calls.some(({ from, to }) => from < at && at < to);
  });
  return new Written(
    [...tag.text].length === tag.text.length && separators.length > 0
      ? Array.from(tag.text, (sign, at) =>
          separators.includes(at) ? separatorAt(tag.text, at) : sign,
        ).join("")
      : tag.text,
  );
}

function separatorAt(text: string, at: number): string {
  return /\s/.test(text[at + 1] ?? "") ? "," : ", ";
}

/** Removes the name that Carbone gives to the data, as in `d.total:formatN(2)`, from the tag that is meant. */
function withoutRoot(tag: Written, meant: string): string {
  const isCarbone = tag.match(String.raw`^d\.${PATH}\s*:(?!:)`) !== null;
  return isCarbone ? meant.replace(/(?<![\p{L}\p{N}_.$])d\.(?=[\p{L}_])/gu, "") : meant;
}

/** Returns a tag with `count` in place of the `length` of a list that a condition selects. */
function withCount(tag: string): string {
  const meant = new Written(tag).replace(
    String.raw`\.where\(([^()]*(?:\([^()]*\)[^()]*)*)\)\.(?:length|size|count)(?![\p{L}(])`,
    ([, condition]) => `.count(${condition})`,
  );
  return meant ?? tag;
}

/** Returns a tag with `$today` in place of the word `today`, as in `due > today`. */
function withToday(tag: string): string {
  const meant = new Written(tag).replace(
    String.raw`(?<![\p{L}\p{N}_$.])today(?=\s*(?:$|[-+<>=!),]|::|and\s|or\s|\.(?:add|days|months|years))|\.\w+\()`,
    () => "$today",
  );
  return meant ?? tag;
}

/** Returns a tag with straight quotes in place of those that Word types. */
function straight(content: string): string {
  return content.replace(/[“”„‟«»″]/g, '"').replace(/(?<!\p{L})[‘’‚‛]|[‘’‛](?!\p{L})/gu, "'");
}

/** Corrects further mistakes of a tag. Returns null if the tag remains invalid. */
function corrected(text: string, isValid: (text: string) => boolean): string | null {
  let now = text;
  for (let more = 0; more < MAX_MISTAKES; more++) {
    if (isValid(now)) return now;
    const tag = new Written(now);
    const [next] = [...SMALL, ...CORRECTIONS]
      .map((correct) => correct(tag))
      .filter((each) => each !== null);
    if (next === undefined || next === now) return null;
    now = next;
  }
  return isValid(now) ? now : null;
}

/** Returns the hint for a function on a list that has no list. */
function listNeeded({ name, key, mayBeList }: CallWithoutList): Wording {
  const ofItems = withTags`{{items.${name}(${key})}}`;
  return mayBeList
    ? withTags`Name the list of the items: ${ofItems}. If '${key}' is a list itself, write {{${key}.${name}()}}.`
    : withTags`Name the list of the items, and then the key: ${ofItems}.`;
}

/** Names the keyword in place of another word, such as `foreach`. */
function wordOf({ text }: Written, meant: string): string {
  return meant.startsWith("for ") && !/^for\s/.test(text) ? "Did you mean 'for'? " : "";
}
