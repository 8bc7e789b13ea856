import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { followsComparison, hintAt } from "./unexpected.ts";

/** Returns the error for the token at an index where a name is expected. */
export function noName(lexemes: readonly Lexeme[], at: number): TagSyntaxError {
  const text = lexemes[at]?.text ?? "";
  return new TagSyntaxError(`There is '${text}' where a name should be.`, noNameHint(lexemes, at));
}

function noNameHint(lexemes: readonly Lexeme[], at: number): string | undefined {
  const { kind, text } = lexemes[at] ?? {};
  const percentage = percentageBefore(lexemes, at);
  if (percentage !== null) return percentage;
  if (kind === "string") return "A name is written without quotes.";
  if (kind !== "symbol" || text === "(") return undefined;
  if (text !== "[") return `Leave out the '${text}', or write the missing part before it.`;
  const key = lexemes[at + 1];
  return key?.kind === "name" && lexemes[at + 2]?.text === "]"
    ? `For the key '${key.text}' write ${key.text} without brackets.`
    : 'Write a key in brackets with quotes, as in ["first name"]. Write an index after the name of its list, as in items[0].';
}

/** Returns the error for a tag that ends too early. */
export function endsEarly(lexemes: readonly Lexeme[], expected: string): TagSyntaxError {
  const last = lexemes.at(-1);
  return new TagSyntaxError(
    `The tag ends where ${expected} should be.`,
    percentageBefore(lexemes, lexemes.length) ??
      `Leave out the '${last?.text ?? ""}' at the end, or write the missing part after it.`,
  );
}

/** Returns the hint for a percentage such as `8.1%` before the token at an index; null for other tokens. */
function percentageBefore(lexemes: readonly Lexeme[], at: number): string | null {
  const [number, sign] = lexemes.slice(Math.max(at - 2, 0), at);
  return sign?.text === "%" && number?.kind === "number"
    ? `For ${number.text}% write (${number.text} / 100).`
    : null;
}

/**
 * Returns the error for a token after a dot or a bracket that is not a key. `path`: the path before it.
 */
export function noKey(path: string, before: string, { kind, text }: Lexeme): TagSyntaxError {
  if (before === "[") {
    return new TagSyntaxError(
      "Brackets contain an index, a key in quotes or a condition.",
      `Write ${path}[0], ${path}["key"] or ${path}[key == "value"].`,
    );
  }
  return new TagSyntaxError(
    `There is '${text}' where a key should be.`,
    kind === "string"
      ? `Write [${text}] without the dot.`
      : text === "["
        ? `Leave out the '.' before the bracket: ${path}[…].`
        : `Leave out the '${text}'.`,
  );
}

const OF_CONDITION = /^(?:and|or|not|in|contains|isPresent|isEmpty|&&|\|\||[=!<>]=|[<>])$/;

/** Returns the error for a parenthesis that is opened at an index and not closed. */
export function unclosedParenthesis(
  lexemes: readonly Lexeme[],
  opened: number,
  at: number,
): TagSyntaxError {
  const found = lexemes[at];
  if (found === undefined) {
    const inside = lexemes[opened + 1];
    return new TagSyntaxError(
      `The '(' before ${inside === undefined ? "the end of the tag" : `'${inside.text}'`} is not closed.`,
      "Add ')' where it should end.",
    );
  }
  const before = lexemes[at - 1];
  const joined = before?.kind === "number" && found.kind === "name";
  return new TagSyntaxError(
    `'${found.text}' is where ')'${found.text === "," ? "" : " or ','"} should be.`,
    joined
      ? `Put the text in quotes: "${before.text}${found.text}".`
      : (conditionHint(lexemes, at) ?? hintAt(lexemes, at) ?? undefined),
  );
}

/** Returns the hint for the first operator of a condition in the argument of a function that takes a value; or null. */
function conditionHint(lexemes: readonly Lexeme[], at: number): string | null {
  if (!OF_CONDITION.test(lexemes[at]?.text ?? "") || followsComparison(lexemes.slice(0, at)))
    return null;
  return 'A condition in place of a value is in parentheses, as in (total > 0). For one of two values write $if(total > 0, "a", "b").';
}

/** Returns the error for a bracket that is not closed before the token at an index. */
export function unclosedBracket(lexemes: readonly Lexeme[], at: number): TagSyntaxError {
  const found = lexemes[at];
  return found === undefined
    ? new TagSyntaxError("A '[' is not closed.", "Add ']' where it should end.")
    : new TagSyntaxError(
        `'${found.text}' is where ']' should be.`,
        hintAt(lexemes, at) ?? undefined,
      );
}

/** Returns the error for a list in brackets that is not closed before the token at an index. */
export function unclosedList(lexemes: readonly Lexeme[], at: number): TagSyntaxError {
  const [before, found] = [lexemes[at - 1], lexemes[at]];
  const isCondition =
    OF_CONDITION.test(found?.text ?? "") || /^(?:not|!)$/.test(before?.text ?? "");
  return found === undefined || found.kind === "string" || !isCondition
    ? unclosedBracket(lexemes, at)
    : new TagSyntaxError(
        `'${found.text}' is where ']' should be.`,
        "Put each condition in the brackets into parentheses, as in [true, (total > 0)].",
      );
}
