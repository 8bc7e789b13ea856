/** Converts a value to JSON with sorted keys, so that equal values give equal strings. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const keys = Object.keys(part).sort();
    // A list of pairs, because an object puts integer keys first, and treats `__proto__` specially.
    return { o: keys.map((key) => [key, (part as Record<string, unknown>)[key]]) };
  });
}
