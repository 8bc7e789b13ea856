/** Returns a suggestion for `items.length`: the function that counts a list or a string. */
export function lengthOf(value: unknown, path: string): string | null {
  if (Array.isArray(value)) return `$count(${path})`;
  return typeof value === "string" ? `$length(${path})` : null;
}
