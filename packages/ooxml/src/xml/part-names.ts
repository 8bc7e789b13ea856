/** Returns the problem with the name of a zip entry, as the end of a sentence, or null for a valid name. */
export function nameProblem(name: string): string | null {
  const segments = name.split("/");
  // A folder's name ends in a slash.
  if (segments.at(-1) === "") segments.pop();
  const problem = segments.map(segmentProblem).find((found) => found !== null);
  if (segments.length === 0 || name.startsWith("/") || /^[a-z]:/i.test(name)) {
    return "has a path that leads outside the file";
  }
  if (PIECE.test(name)) return "is a piece of a part, but Word writes whole parts";
  if (NEEDLESS_ESCAPE.test(name)) {
    return "has a percent-encoded letter, digit or slash in its name";
  }
  return problem ?? null;
}

/**
 * Characters that must not be percent-encoded in a part name (ECMA-376 part 2, 6.2.2.2): readers disagree about
 * whether `%5Frels` is `_rels`. Encoded control characters and `\` are not allowed either.
 */
const NEEDLESS_ESCAPE = /%(?:[01][\da-f]|2[def]|3\d|4[1-9a-f]|5[\dacf]|6[1-9a-f]|7[\daef])/i;

/**
 * The name of a piece of a part. Some readers combine such entries into a part (ECMA-376 part 2, 7.2.4), others do not.
 */
const PIECE = /\/\[\d+\](?:\.last)?\.piece$/i;

function segmentProblem(segment: string): string | null {
  if (segment === "" || segment === "." || segment === "..") {
    return "has a path that leads outside the file";
  }
  for (const character of segment) {
    if (character < " " || character === "\x7f") return "has a control character in its name";
  }
  // If a target contains these characters, some readers use the part with this name, others the part whose name ends
  // before them.
  if (/[?#]/.test(segment)) return "has a question mark or a number sign in its name";
  if (/^\s|\s$/.test(decoded(segment))) return "has white space at the start or end of its name";
  return null;
}

/**
 * The key that identifies a part. Case, percent-encoding and the composition of characters do not matter (ECMA-376 part
 * 2, 6.2.2.3).
 */
export function nameKey(name: string): string {
  return decoded(name).normalize("NFC").toLowerCase();
}

function decoded(name: string): string {
  if (!name.includes("%")) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
