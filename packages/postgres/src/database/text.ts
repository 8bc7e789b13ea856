/**
 * Escapes U+0000, which a text of PostgreSQL cannot contain, as `\0`, and the backslash as `\\`. Every text that comes
 * from outside is stored in this form. A lone surrogate becomes U+FFFD, because UTF-8 has no form for it.
 */
export function toText(text: string): string;
export function toText(text: string | null): string | null;
export function toText(text: string | null): string | null {
  return (
    text?.toWellFormed().replace(/[\\\0]/g, (each) => (each === "\0" ? "\\0" : "\\\\")) ?? null
  );
}

/** Returns the text that {@link toText} escaped. */
export function fromText(text: string): string;
export function fromText(text: string | null): string | null;
export function fromText(text: string | null): string | null {
  return text?.replace(/\\(.)/g, (_, each) => (each === "0" ? "\0" : "\\")) ?? null;
}
