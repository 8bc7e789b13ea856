/** Word rejects longer targets. */
const MAX_LINK = 2083;

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Characters that remain unchanged in a web URL, but that the target of a relationship must not contain. */
const UNSAFE = /[\s"<>\\^`{|}]/g;

/**
 * Returns the normalized target of a link, or null if a document must not contain it. It must be a URL with the scheme
 * `http`, `https`, `mailto` or `tel` that is not too long. The result contains only ASCII characters that are allowed
 * in a URI.
 */
export function safeLink(url: string): string | null {
  if (url.length > 4 * MAX_LINK) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers remove them, which helps attackers
  const text = url.replace(/[\u0000-\u001f\u007f-\u009f]/g, "").trim();
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !SCHEMES.has(parsed.protocol)) return null;
  const href = parsed.href
    .replace(UNSAFE, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(?![0-9a-fA-F]{2})/g, "%25");
  return href.length > MAX_LINK ? null : href;
}
