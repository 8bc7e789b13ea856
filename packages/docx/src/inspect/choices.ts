import { createNode, type DataNode, isIndex, itemOf, keyOf, mergeFacts } from "./data-node.ts";

/** For each place of a value that an expression chooses: the places among which it chooses, in the order of the tags. */
export type Choices = ReadonlyMap<DataNode, readonly DataNode[]>;

/** Maximum number of places that choices add. Nested choices multiply their places. */
const MAX_PLACES = 10_000;

/** Maximum number of places that are listed for a value that expressions choose. */
const MAX_WAYS = 16;

/**
 * Adds a choice. Returns a place that is not in the data, for the chosen value. `before`: the chosen values of the previous
 * survey.
 */
export function addChoice(
  among: readonly [DataNode, ...DataNode[]],
  choices: Map<DataNode, readonly DataNode[]>,
  before: readonly DataNode[],
): DataNode {
  const [{ parent, name }] = among;
  const chosen = createNode(parent, name, before[choices.size] ?? null);
  choices.set(chosen, among);
  return chosen;
}

/** Records, at all places among which expressions choose, what tags use of the chosen values. */
export function spreadChoices(choices: Choices): void {
  const left = { places: MAX_PLACES };
  // A choice may be among the results of earlier ones.
  for (const [chosen, among] of [...choices].reverse()) {
    for (const node of among) copyInto(node, chosen, left);
  }
}

/** Copies the facts about a value, and about everything in it, to another place. */
function copyInto(target: DataNode, source: DataNode, left: { places: number }): void {
  mergeFacts(target.facts, source.facts);
  if (source.item === null && source.keys.size === 0) return;
  if (left.places < 0) {
    target.facts.uses.add("deep");
    return;
  }
  if (source.item !== null) copyPlace(target, itemOf(target), source.item, left);
  for (const [key, inner] of source.keys) copyPlace(target, keyOf(target, key), inner, left);
}

function copyPlace(
  around: DataNode,
  target: DataNode,
  source: DataNode,
  left: { places: number },
): void {
  left.places -= 1;
  // Places end at the maximum depth.
  if (target === around) return;
  if (target.facts.tags.length === 0) target.reading = source.reading;
  copyInto(target, source, left);
}

/** Returns the names that lead to a place, without list indexes; several for a value that an expression chooses. */
export function waysTo(node: DataNode, choices: Choices): readonly (readonly string[])[] {
  const names: string[] = [];
  for (let at: DataNode | null = node; at !== null; at = at.parent) {
    const among = choices.get(at);
    if (among !== undefined) {
      const after = names.toReversed();
      return waysToAny(among, choices).map((way) => [...way, ...after]);
    }
    const { name } = at;
    if (name !== null && !isIndex(name)) names.push(name);
  }
  return [names.reverse()];
}

function waysToAny(among: readonly DataNode[], choices: Choices): readonly (readonly string[])[] {
  const ways: (readonly string[])[] = [];
  for (const node of among) {
    if (ways.length < MAX_WAYS) ways.push(...waysTo(node, choices));
  }
  return ways.slice(0, MAX_WAYS);
}
