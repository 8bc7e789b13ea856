import { type Wording, withTags } from "./delimiters/wording.ts";
import { conditionIn } from "./foreign.ts";
import { endOfTwoWords, joinedKeyword, KEYWORDS, keywordNear, LONE_KEYWORDS } from "./keywords.ts";
import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { hintAt, keyHint, keyMeant } from "./unexpected.ts";

/**
 * Throws for a keyword that is not in lowercase: `{{Else}}` would silently be read as a key of the data. `next`: the
 * token after the word.
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

/** Words that begin a block in other languages if a name follows. A key of the data would not contain a space there. */
const COMMANDS = new Set(["foreach", "each", "unless", "elif", "elsif"]);

/**
 * Whether text that could be a docxtemplater key with spaces or hyphens begins with a keyword or a command, in upper or
 * lower case. If such a tag were read as a key, its block would be shown regardless of the condition.
 */
export function isBlockTag(key: string): boolean {
  const [first = "", second = ""] = key.split(/[ -]+/);
  if (first.toLowerCase() === "end") return endOfTwoWords(second) !== null;
  const word = key.split(" ")[0] ?? "";
  const small = word.toLowerCase();
  return KEYWORDS.includes(small) || COMMANDS.has(small) || /^(?:INS|EXEC)$/.test(word);
}

/** Throws for `{{end for}}`, `{{end-if}}` and similar; otherwise `end` is an ordinary key. */
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

/** Throws for a keyword written as two words, such as `{{el se}}` and `{{table row r in rows}}`. */
export function checkTwoWords(lexemes: readonly Lexeme[]): void {
  const [first, second] = lexemes;
  const keyword = joinedKeyword(first?.text ?? "", second?.kind === "name" ? second.text : "");
  if (keyword === null) return;
  const behind = LONE_KEYWORDS.includes(keyword) ? "" : " …";
  throw new TagSyntaxError(`'${keyword}' is one word.`, withTags`Write {{${keyword}${behind}}}.`);
}

/** Returns the error, with a replacement, for `{{else x}}`. `behind`: the text after the word. */
export function elseError(behind: string): TagSyntaxError {
  const condition = conditionIn(behind.replace(/^[-_]?\s*if\b/i, "").trim());
  return new TagSyntaxError(
    "'else' must be alone in its tag.",
    withTags`Write {{else}}, or {{elseif ${condition ?? "condition"}}} for a condition.${valueNamed("else", behind)}`,
  );
}

/** Returns a hint for a tag that continues after its value. */
export function hintFor(lexemes: readonly Lexeme[], unread: Lexeme): Wording | undefined {
  const [first, second] = lexemes;
  const keyword = keywordNear(first?.text ?? "");
  if (keyword !== null && !KEYWORDS.includes(first?.text ?? ""))
    return `Did you mean '${keyword}'?`;
  if (unread.text === "or" || unread.text === "||") {
    return withTags`For a value in place of a missing one, write {{a ?? "text"}}. Put a condition into {{if condition}} … {{endif}}.`;
  }
  const modifiers = lexemes.slice(lexemes.findIndex(({ text }) => text === "::"));
  const isModified = modifiers[0]?.text === "::";
  if (isModified && /^(?:in|==|!=|[<>]=?|contains|isPresent|isEmpty)$/.test(unread.text)) {
    return withTags`Put the condition into parentheses: {{(a == b) :: ${modifiers[1]?.text ?? "checkbox"}}}.`;
  }
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

/**
 * Whether the tag contains only a keyword, without the text that should follow, as if it were meant to print the value
 * with that name.
 */
export function isValueNamed(word: string, behind: string): boolean {
  return KEYWORDS.includes(word) && (behind === "" || behind.startsWith("::"));
}

/** Returns an additional sentence about printing a value that is named like a keyword; empty if no value is meant. */
export function valueNamed(word: string, behind: string): Wording {
  if (!isValueNamed(word, behind)) return "";
  return withTags` For a value with the name '${word}', write {{this["${word}"]${behind === "" ? "" : ` ${behind}`}}}.`;
}
