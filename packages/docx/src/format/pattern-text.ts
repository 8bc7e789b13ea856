const MAX_LENGTH = 200;

/** An invalid pattern. The message completes "The pattern …", without a full stop. */
export class PatternError extends Error {}

/** A character of a pattern. In quotes, it is literal. */
export interface PatternCharacter {
  readonly char: string;
  readonly quoted: boolean;
}

/**
 * Returns the characters of a pattern, as code points, without its quotes. Literal text is in '…' or "…", and two
 * quotes in a row mean the quote itself. Throws {@link PatternError}.
 */
export function readPatternText(pattern: string): PatternCharacter[] {
  if (pattern.length > MAX_LENGTH) {
    throw new PatternError(`is longer than ${MAX_LENGTH} characters`);
  }
  const chars = [...pattern];
  const read: PatternCharacter[] = [];
  let open: string | null = null;
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    const isQuote = open === null ? char === "'" || char === '"' : char === open;
    if (!isQuote) {
      read.push({ char, quoted: open !== null });
    } else if (chars[at + 1] === char) {
      read.push({ char, quoted: true });
      at += 1;
    } else {
      open = open === null ? char : null;
    }
  }
  if (open !== null) throw new PatternError("has a quote that is not closed");
  return read;
}

/** Returns the result of a function, or the {@link PatternError} that it throws. */
export function tryPattern<T>(read: () => T): T | PatternError {
  try {
    return read();
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
}
