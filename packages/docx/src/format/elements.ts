const { entries, values } = Array.prototype;

/** The elements of a list in the data, by index. A list may have its own iterator, which may never end. */
export function elementsOf(list: readonly unknown[]): Iterable<unknown> {
  return values.call(list);
}

/** The same with indexes. */
export function indexedElements(list: readonly unknown[]): Iterable<[number, unknown]> {
  return entries.call(list);
}
