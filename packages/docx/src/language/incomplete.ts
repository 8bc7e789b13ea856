import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { type Wording, withTags } from "./wording.ts";

/** Returns the error for the token at an index where a name is expected. */
export function noName(lexemes: readonly Lexeme[], at: number): TagSyntaxError {
  const text = lexemes[at]?.text ?? "";
  return new TagSyntaxError(`There is '${text}' where a name should be.`, noNameHint(lexemes, at));
}

function noNameHint(lexemes: readonly Lexeme[], at: number): string | undefined {
  const { kind, text } = lexemes[at] ?? {};
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
  const [number, last] = lexemes.slice(-2);
  return new TagSyntaxError(
    `The tag ends where ${expected} should be.`,
    last?.text === "%" && number?.kind === "number"
      ? `For ${number.text}% write (${number.text} / 100).`
      : `Leave out the '${last?.text ?? ""}' at the end, or write the missing part after it.`,
  );
}

/**
 * Returns the error for a token after a dot or a bracket that is not a key. `path`: the path before it; `next`: the
 * next token.
 */
export function noKey(
  path: string,
  before: string,
  { kind, text }: Lexeme,
  next: Lexeme | null,
): TagSyntaxError {
  if (before === "[") {
    return new TagSyntaxError(
      "Brackets contain an index or a key in quotes.",
      kind === "name" ? lookupHint(path, text, next) : undefined,
    );
  }
  return new TagSyntaxError(
    `There is '${text}' where a key should be.`,
    kind === "string" ? `Write [${text}] without the dot.` : `Leave out the '${text}'.`,
  );
}

/** Returns the hint for a name in brackets: a key without quotes, or a lookup by value as in other languages. */
function lookupHint(path: string, name: string, next: Lexeme | null): Wording {
  if (next?.text === "]" && !name.startsWith("$")) {
    return `For the key '${name}' write ["${name}"]. A name in brackets is not looked up in the data.`;
  }
  return withTags`An index or a key in brackets cannot come from the data or the loop. Loop over the list: {{for item in ${path}}} … {{endfor}}, and choose an item in it with {{if item.key == …}} … {{endif}}.`;
}
