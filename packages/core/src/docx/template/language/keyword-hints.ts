import { conditionIn } from "./foreign.ts";
import { endOfTwoWords, KEYWORDS, keywordNear, LONE_KEYWORDS } from "./keywords.ts";
import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { hintAt } from "./unexpected.ts";

/**
 * Throws for a keyword in other letters than small ones: `{{Else}}` would be a key of the data, silently.
 * `next` is what stands behind the word.
 */
export function checkLetters(word: string, next: Lexeme | null): void {
  const keyword = word.toLowerCase();
  if (keyword === word || !KEYWORDS.includes(keyword)) return;
  const lone = LONE_KEYWORDS.includes(keyword);
  if (next === null ? !lone : next.kind === "symbol") return;
  throw new TagSyntaxError(
    "Keywords are written in small letters.",
    `Write {{${keyword}${lone ? "" : " …"}}}.`,
  );
}

/** Throws for `{{end for}}`, `{{end-if}}` and the like; else `end` is a key as any other. */
export function checkEnd(lexemes: readonly Lexeme[]): void {
  const hyphen = lexemes[1]?.text === "-";
  const second = lexemes[hyphen ? 2 : 1];
  if (second?.kind !== "name") return;
  const meant = endOfTwoWords(second.text);
  if (hyphen && meant === null) return;
  throw new TagSyntaxError(
    "'end' ends no block.",
    meant === null ? "Write {{endfor}} or {{endif}}." : `Write {{${meant}}}, in one word.`,
  );
}

/** What to write instead of `{{else x}}`; `behind` stands behind the word. */
export function elseError(behind: string): TagSyntaxError {
  const condition = conditionIn(behind.replace(/^[-_]?\s*if\b/i, "").trim());
  return new TagSyntaxError(
    "'else' stands alone in its tag.",
    `Write {{else}}, or {{elseif ${condition ?? "condition"}}} for a condition.`,
  );
}

/** How a tag that goes on after its value may have been meant. */
export function hintFor(lexemes: readonly Lexeme[], unread: Lexeme): string | undefined {
  const [first, second] = lexemes;
  const keyword = keywordNear(first?.text ?? "");
  if (keyword !== null && !KEYWORDS.includes(first?.text ?? ""))
    return `Did you mean '${keyword}'?`;
  if (/^(?:and|or|&&|\|\||==|!=|[<>]=?|contains|isPresent|isEmpty)$/.test(unread.text)) {
    return "A condition stands in {{if condition}} … {{endif}}.";
  }
  if (first?.kind === "name" && second?.kind === "name") {
    return `Join names with dots, {{${first.text}.${second.text}}}; a key with spaces stands in brackets: {{this["${first.text} ${second.text}"]}}.`;
  }
  return hintAt(lexemes, lexemes.indexOf(unread)) ?? undefined;
}
