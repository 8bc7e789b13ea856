const { entries, values } = Array.prototype;

/** The elements of a list of the data, by their indexes: a list may have an iterator of its own, which need not end. */
export function elementsOf(list: readonly unknown[]): Iterable<unknown> {
  return values.call(list);
}

/** Likewise with their indexes. */
export function indexedElements(list: readonly unknown[]): Iterable<[number, unknown]> {
  return entries.call(list);
}
