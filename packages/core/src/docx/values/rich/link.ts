/** Longer targets are refused by Word. */
const MAX_LINK = 2083;

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Characters that stay as they are in a URL of the web, but that the target of a relationship cannot hold. */
const UNSAFE = /[\s"<>\\^`{|}]/g;

/**
 * The target of a link, in the one spelling of the URL standard, or null when a document must not
 * hold it: another scheme than `http`, `https`, `mailto` and `tel`, no scheme at all, no URL, or one
 * that is too long. Only ASCII characters that may stand in a URI are left.
 */
export function safeLink(url: string): string | null {
  if (url.length > 4 * MAX_LINK) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers take them out, to the joy of attackers
  const text = url.replace(/[\u0000-\u001f\u007f-\u009f]/g, "").trim();
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !SCHEMES.has(parsed.protocol)) return null;
  const href = parsed.href
    .replace(UNSAFE, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(?![0-9a-fA-F]{2})/g, "%25");
  return href.length > MAX_LINK ? null : href;
}
