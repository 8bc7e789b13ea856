/** Maximum nesting of data; deeper data is rejected. */
export const MAX_DEPTH = 64;

/** Whether a value is an object and not a list. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether data is nested deeper than a limit; a reference to a parent object counts as too deep. Does not recurse, so
 * deep data cannot overflow the stack. Visits an object again only if it is deeper than before. Byte arrays have no
 * depth.
 */
export function depthExceeds(value: unknown, limit: number): boolean {
  const deepest = new Map<object, number>();
  const open: { readonly item: unknown; readonly depth: number }[] = [{ item: value, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { item, depth } = next;
    if (
      typeof item !== "object" ||
      item === null ||
      item instanceof Uint8Array ||
      depth <= (deepest.get(item) ?? -1)
    )
      continue;
    if (depth > limit) return true;
    deepest.set(item, depth);
    for (const child of Object.values(item)) open.push({ item: child, depth: depth + 1 });
  }
  return false;
}
