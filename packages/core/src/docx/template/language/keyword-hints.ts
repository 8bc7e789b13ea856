import { type Wording, withTags } from "../wording.ts";
import { conditionIn } from "./foreign.ts";
import { endOfTwoWords, joinedKeyword, KEYWORDS, keywordNear, LONE_KEYWORDS } from "./keywords.ts";
import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { hintAt, keyHint, keyMeant } from "./unexpected.ts";

/**
 * Throws for a keyword in other letters than small ones: `{{Else}}` would be a key of the data, silently.
 * `next` is what stands behind the word.
 */
export function checkLetters(word: string, next: Lexeme | null): void {
  const keyword = word.toLowerCase();
  if (keyword === word || !KEYWORDS.includes(keyword)) return;
  const lone = LONE_KEYWORDS.includes(keyword);
  if (next === null ? !lone : next.kind === "symbol") return;
  const isElseIf = keyword === "else" && next?.text.toLowerCase() === "if";
  throw new TagSyntaxError(
    "Keywords are written in lowercase letters.",
    withTags`Write {{${isElseIf ? "elseif" : keyword}${lone && !isElseIf ? "" : " …"}}}.`,
  );
}

/** Words of other languages that begin a block before a name, where no key of ours has spaces. */
const COMMANDS = new Set(["foreach", "each", "unless", "elif", "elsif"]);

/**
 * Whether a key with spaces or hyphens, as docxtemplater has them, begins or ends a block, in whatever letters
 * its words are. If it were a key, a block would be shown whatever its condition is.
 */
export function isBlockTag(key: string): boolean {
  const [first = "", second = ""] = key.split(/[ -]+/);
  if (first.toLowerCase() === "end") return endOfTwoWords(second) !== null;
  const word = key.split(" ")[0] ?? "";
  const small = word.toLowerCase();
  return KEYWORDS.includes(small) || COMMANDS.has(small) || /^(?:INS|EXEC)$/.test(word);
}

/** Throws for `{{end for}}`, `{{end-if}}` and the like; else `end` is a key as any other. */
export function checkEnd(lexemes: readonly Lexeme[]): void {
  const hyphen = lexemes[1]?.text === "-";
  const second = lexemes[hyphen ? 2 : 1];
  if (second?.kind !== "name") return;
  const third = lexemes[hyphen ? 3 : 2];
  const meant = endOfTwoWords(second.text) ?? endOfTwoWords(second.text + (third?.text ?? ""));
  if (hyphen && meant === null) return;
  throw new TagSyntaxError(
    "'end' does not end a block.",
    meant === null
      ? withTags`Write {{endfor}} or {{endif}}.`
      : withTags`Write {{${meant}}}, in one word.`,
  );
}

/** Throws for a keyword that is written as two words, such as `{{el se}}` and `{{table row r in rows}}`. */
export function checkTwoWords(lexemes: readonly Lexeme[]): void {
  const [first, second] = lexemes;
  const keyword = joinedKeyword(first?.text ?? "", second?.kind === "name" ? second.text : "");
  if (keyword === null) return;
  const behind = LONE_KEYWORDS.includes(keyword) ? "" : " …";
  throw new TagSyntaxError(`'${keyword}' is one word.`, withTags`Write {{${keyword}${behind}}}.`);
}

/** What to write instead of `{{else x}}`; `behind` stands behind the word. */
export function elseError(behind: string): TagSyntaxError {
  const condition = conditionIn(behind.replace(/^[-_]?\s*if\b/i, "").trim());
  return new TagSyntaxError(
    "'else' must be alone in its tag.",
    withTags`Write {{else}}, or {{elseif ${condition ?? "condition"}}} for a condition.${valueNamed("else", behind)}`,
  );
}

/** How a tag that goes on after its value may have been meant. */
export function hintFor(lexemes: readonly Lexeme[], unread: Lexeme): Wording | undefined {
  const [first, second] = lexemes;
  const keyword = keywordNear(first?.text ?? "");
  if (keyword !== null && !KEYWORDS.includes(first?.text ?? ""))
    return `Did you mean '${keyword}'?`;
  const isNegated = first?.text === "not" && second?.kind === "name";
  if (
    isNegated ||
    /^(?:and|or|&&|\|\||==|!=|[<>]=?|contains|isPresent|isEmpty)$/.test(unread.text)
  ) {
    return withTags`Put a condition into {{if condition}} … {{endif}}.`;
  }
  const at = lexemes.indexOf(unread);
  const key = keyMeant(lexemes, at);
  if (key?.words.includes(" ")) {
    return withTags`Join names with dots, {{${key.joined}}}; write a key with spaces in brackets: {{${key.path}}}.`;
  }
  return hintAt(lexemes, at) ?? keyHint(lexemes, at) ?? undefined;
}

/** Whether a tag that begins with a keyword has nothing of what belongs behind it, as one that is to print the value of that name. */
export function isValueNamed(word: string, behind: string): boolean {
  return KEYWORDS.includes(word) && (behind === "" || behind.startsWith("::"));
}

/** How the value of the name of a keyword is printed, as a further sentence; empty when that is not meant. */
export function valueNamed(word: string, behind: string): Wording {
  if (!isValueNamed(word, behind)) return "";
  return withTags` For a value with the name '${word}', write {{this["${word}"]${behind === "" ? "" : ` ${behind}`}}}.`;
}
