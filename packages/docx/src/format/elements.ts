const { entries, values } = Array.prototype;

/**
 * Returns the elements of a list in the data, by index. The list's own iterator is not used, because it may never end.
 */
export function elementsOf(list: readonly unknown[]): Iterable<unknown> {
  return values.call(list);
}

/** Returns the elements of a list in the data, each with its index; see {@link elementsOf}. */
export function indexedElements(list: readonly unknown[]): Iterable<[number, unknown]> {
  return entries.call(list);
}
