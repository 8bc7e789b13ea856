import { type DataNode, isIndex, type Reading, type Use } from "./data-node.ts";

/** Uses that only a plain value can have. */
export const PLAIN: readonly Use[] = [
  "printed",
  "date",
  "time",
  "number",
  "operand",
  "divisor",
  "places",
  "whole",
  "masked",
  "coded",
  "image",
  "pictured",
  "url",
  "urlPart",
  "html",
  "markdown",
  "checkbox",
  "instruction",
  "separator",
  "compared",
  "texted",
  "spelled",
  "dated",
  "ordered",
];

/** Uses that need a list, or an object with keys. */
const STRUCTURED: readonly Use[] = ["repeated", "listed", "crossed"];

/** Decides how the value of a section is read, from the uses of the same place in other tags. */
export function readingOf(node: DataNode): Reading {
  const { item, keys, facts, reading } = node;
  if (keys.size === 0) return reading;
  if (item !== null && item.keys.size === 0 && hasAny(item, PLAIN)) return "elements";
  return hasAny(node, PLAIN) && !hasAny(node, STRUCTURED) && !facts.uses.has("deep")
    ? "flag"
    : reading;
}

/** Whether a place is a list: it is repeated, has only indexes as keys, or has keys and is measured or searched. */
export function isList(node: DataNode): boolean {
  if (isTreatedAsList(node)) return true;
  for (const key of node.keys.keys()) if (!isIndex(key)) return false;
  return node.keys.size > 0;
}

/**
 * Whether a place is treated as a list. A measured or searched value is a string or a list, and a string has no keys.
 */
function isTreatedAsList({ facts: { uses }, keys }: DataNode): boolean {
  if (uses.has("repeated") || uses.has("listed")) return true;
  return keys.size > 0 && (uses.has("measured") || uses.has("contains"));
}

function hasAny({ facts }: DataNode, uses: readonly Use[]): boolean {
  return uses.some((use) => facts.uses.has(use));
}

const NUMERIC: readonly Use[] = [
  "number",
  "operand",
  "divisor",
  "places",
  "whole",
  "aggregated",
  "spelled",
];
const DATES: readonly Use[] = ["date", "time", "dated"];
const TEXTUAL: readonly Use[] = ["texted", "contains", "url", "html", "markdown"];

/** Assigns one type to all values whose order is compared: numbers with numbers, dates with dates. */
export function balancePeers(peers: ReadonlyMap<DataNode, ReadonlySet<DataNode>>): void {
  const seen = new Set<DataNode>();
  for (const start of peers.keys()) {
    if (seen.has(start)) continue;
    const group = [start];
    seen.add(start);
    for (const node of group) {
      for (const peer of peers.get(node) ?? []) {
        if (!seen.has(peer)) group.push(peer);
        seen.add(peer);
      }
    }
    const use = orderedAs(group);
    for (const { facts } of group) facts.uses.add(use);
  }
}

function orderedAs(group: readonly DataNode[]): Use {
  if (group.some((node) => hasAny(node, NUMERIC))) return "operand";
  if (group.some((node) => hasAny(node, TEXTUAL))) return "texted";
  return group.some((node) => hasAny(node, DATES)) ? "dated" : "ordered";
}

/** What a function over a list uses. */
export interface Aggregate {
  readonly node: DataNode;
  /** The places that the keys of the path lead to, one for each key. */
  readonly way: readonly DataNode[];
  readonly use: Use;
}

/** How a function over a list uses each element. */
const OF_ELEMENT: Readonly<Partial<Record<Use, Use>>> = {
  aggregated: "number",
  joined: "printed",
};

/**
 * Decides which place on the path of an aggregate function is the list: a place that another tag repeats;
 * otherwise the second to last place, as in `items.amount`, unless another tag uses it as an object; otherwise
 * the last place.
 */
export function placeAggregates(aggregates: readonly Aggregate[]): void {
  for (const { node, way, use } of aggregates) {
    const ofElement = OF_ELEMENT[use] ?? use;
    const around = way.slice(0, -1);
    const section = around.find(({ facts }) => facts.uses.has("section"));
    const last = around.at(-1);
    if (around.some(isTreatedAsList)) {
      node.facts.uses.add(ofElement);
    } else if (section !== undefined && section.reading === "turns") {
      section.facts.uses.add("asked");
      node.facts.uses.add(ofElement);
    } else if (last !== undefined && !last.facts.uses.has("crossed") && !isIndex(last.name ?? "")) {
      last.facts.uses.add("repeated");
      node.facts.uses.add(ofElement);
    } else node.facts.uses.add(use);
  }
}
