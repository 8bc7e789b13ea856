import type { PlaceUse } from "@quire/core";

/** Combines how several templates use the value at a path of keys in the data; null if none of them uses the value. */
export function mergedUse(
  users: readonly { useOf(keys: readonly string[]): PlaceUse | null }[],
  keys: readonly string[],
): PlaceUse | null {
  const uses = users.map((user) => user.useOf(keys)).filter((use) => use !== null);
  const [first, ...others] = uses;
  return first === undefined ? null : others.reduce(both, first);
}

function both(one: PlaceUse, other: PlaceUse): PlaceUse {
  const asNumber = one.asNumber || other.asNumber;
  return {
    asText: one.asText || other.asText,
    asTextOnly: one.asTextOnly || other.asTextOnly,
    asNumber,
    formattedNumber: one.formattedNumber || other.formattedNumber,
    formattedDate: one.formattedDate || other.formattedDate,
    inOrder: (one.inOrder || other.inOrder) && !asNumber,
    asBoolean: one.asBoolean || other.asBoolean,
    asCondition: one.asCondition || other.asCondition,
    onlyTrueOrFalse: one.onlyTrueOrFalse && other.onlyTrueOrFalse,
    texts: [...one.texts, ...other.texts],
    tags: [...one.tags, ...other.tags],
  };
}
