import { type Lexeme, TagSyntaxError } from "./tokens.ts";

/** For a token that stands where the name of a value should be. */
export function noName({ kind, text }: Lexeme): TagSyntaxError {
  return new TagSyntaxError(`'${text}' stands where a name should be.`, noNameHint(kind, text));
}

function noNameHint(kind: Lexeme["kind"], text: string): string | undefined {
  if (kind === "string") return "A name stands without quotes.";
  return kind === "symbol" && text !== "(" && text !== "["
    ? `Leave out the '${text}', or write what belongs before it.`
    : undefined;
}

/** For a tag that ends where something should be. */
export function endsEarly(lexemes: readonly Lexeme[], expected: string): TagSyntaxError {
  const [number, last] = lexemes.slice(-2);
  return new TagSyntaxError(
    `The tag ends where ${expected} should be.`,
    last?.text === "%" && number?.kind === "number"
      ? `For ${number.text}% write (${number.text} / 100).`
      : `Leave out the '${last?.text ?? ""}' at the end, or write what belongs behind it.`,
  );
}

/** For a token that stands behind a dot or a bracket and is no key there. */
export function noKey(before: string, { kind, text }: Lexeme): TagSyntaxError {
  if (before === "[") {
    return new TagSyntaxError(
      "Between brackets stands an index or a key in quotes.",
      kind === "name" ? `For the key '${text}' write ["${text}"].` : undefined,
    );
  }
  return new TagSyntaxError(
    `'${text}' stands where a key should be.`,
    kind === "string" ? `Write [${text}] without the dot.` : `Leave out the '${text}'.`,
  );
}
