import { type Wording, withTags } from "../delimiters/wording.ts";

/** Returns the hint for a text or a number in place of the key of `merge` or `mergeAcross`; null for other arguments. */
export function keyMeant(name: "merge" | "mergeAcross", key: string): Wording | null {
  const direction = directionMeant(name, key);
  if (direction !== null) return direction;
  if (/^[\p{L}_]/u.test(key)) return `Write the key without quotes: ${name}(${key}).`;
  return /^(?:[2-9]|[1-9]\d{1,5})$/.test(key)
    ? withTags`To cover ${key} cells of the row write {{cell :: span(${key})}}.`
    : null;
}

/** Returns the hint for a direction in place of the key of `merge` or `mergeAcross`; null for another word. */
export function directionMeant(name: "merge" | "mergeAcross", word: string): string | null {
  const meant = DIRECTIONS.find(([, words]) => words.test(word))?.[0];
  if (meant === undefined) return null;
  if (meant !== name)
    return `'${name}' goes ${WAYS[name]}: for cells ${BESIDE[meant]} write ${meant}.`;
  return `'${name}' always goes ${WAYS[name]}: write ${name} without an argument.`;
}

const DIRECTIONS = [
  ["merge", /^(?:down|downwards?|below|vertical|vertically|v|rows?)$/i],
  ["mergeAcross", /^(?:across|right|beside|horizontal|horizontally|h|columns?)$/i],
] as const;

const WAYS = { merge: "down", mergeAcross: "to the right" } as const;

const BESIDE = { merge: "below each other", mergeAcross: "beside each other" } as const;
