/** A value as JSON whose keys are in a fixed order: equal values have equal texts, however they were written. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const keys = Object.keys(part).sort();
    // A list of pairs, since an object puts keys that are numbers first, and `__proto__` elsewhere.
    return { o: keys.map((key) => [key, (part as Record<string, unknown>)[key]]) };
  });
}
