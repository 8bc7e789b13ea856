/** What is wrong with the name of a zip entry, as the end of a sentence, or null. */
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
    return "has a letter, digit or slash in its name that is percent-encoded";
  }
  return problem ?? null;
}

/**
 * What no name of a part may hold encoded (ECMA-376 part 2, 6.2.2.2): readers differ in whether
 * `%5Frels` is `_rels`. Control characters and `\` are none better.
 */
const NEEDLESS_ESCAPE = /%(?:[01][\da-f]|2[def]|3\d|4[1-9a-f]|5[\dacf]|6[1-9a-f]|7[\daef])/i;

/** Some readers put a part together from such entries (ECMA-376 part 2, 7.2.4), others see none. */
const PIECE = /\/\[\d+\](?:\.last)?\.piece$/i;

function segmentProblem(segment: string): string | null {
  if (segment === "" || segment === "." || segment === "..") {
    return "has a path that leads outside the file";
  }
  for (const character of segment) {
    if (character < " " || character === "\x7f") return "has a control character in its name";
  }
  // A link with these leads to this part for some readers, and for others to the one that is named without them.
  if (/[?#]/.test(segment)) return "has a question mark or a number sign in its name";
  if (/^\s|\s$/.test(decoded(segment))) return "has white space at the start or end of its name";
  return null;
}

/**
 * The name by which a part is told from others: case does not count (ECMA-376 part 2, 6.2.2.3), nor
 * whether a character is percent-encoded or composed.
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
