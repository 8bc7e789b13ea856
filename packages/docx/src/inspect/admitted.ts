import { type DataNode, type Facts, itemOf, type Use } from "./data-node.ts";
import { isList } from "./settle.ts";

/** The plain values that a tag accepts. Some types include lists of them. */
export type ValueType =
  /** Values that a tag prints: a string, a number, a boolean or a picture, or a list of them. */
  | "printed"
  | "scalar"
  | "text"
  | "text or boolean"
  /** A number or a numeric string; for `numbers`, also a list of them. */
  | "number"
  | "numbers"
  /** A string that is a date, or a list of them. */
  | "dates"
  /** A string or a number, or a list of them. */
  | "masked"
  /** A picture, or a list of them. */
  | "images"
  /** A string, or a list of anything. */
  | "measured";

/** One kind of value that is allowed at a place. */
export type Alternative =
  | { readonly kind: "value"; readonly type: ValueType }
  | {
      readonly kind: "list";
      readonly item: Place;
      /** Whether elements may be missing. */
      readonly sparse: boolean;
    }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field> }
  /** The value of a section that uses names: an object with these keys, or a list of any values. */
  | { readonly kind: "section"; readonly fields: ReadonlyMap<string, Field> }
  /** A list whose elements have the keys of the paths, or an object with indexes as keys. */
  | { readonly kind: "any list" | "any object" }
  /** Values that an `if` treats as empty: `false`, 0, an empty string, an empty list. */
  | { readonly kind: "nothing" };

/** The values that are allowed at a place in the data. */
export interface Place {
  /** Empty when any value is allowed. */
  readonly alternatives: readonly Alternative[];
  readonly facts: Facts;
}

/** A key of an object. */
export interface Field extends Place {
  /**
   * Whether the data must have the key under all conditions. This is the case if a tag outside all branches and blocks,
   * without `optional` and `default`, does more than check whether the key exists.
   */
  readonly required: boolean;
}

/**
 * Returns the keys of a place, each with its allowed values. The data must fit all uses that do not depend on
 * conditions. If a key has only conditional uses, the data must fit one of them.
 */
export function admittedFields({ keys }: DataNode): ReadonlyMap<string, Field> {
  return new Map(
    [...keys].map(([key, node]) => [
      key,
      { ...placeOf(node), required: node.facts.required && !node.isAnyKey },
    ]),
  );
}

function placeOf(node: DataNode): Place {
  return { alternatives: alternativesOf(node), facts: node.facts };
}

function alternativesOf(node: DataNode): readonly Alternative[] {
  const { uses, firm } = node.facts;
  if (uses.has("deep")) return [];
  if (firm.has("repeated")) return [listOf(node, false)];
  if (firm.has("entered")) return structureOf(node, false);
  const [certain] = typesOf(firm);
  if (certain !== undefined) return [{ kind: "value", type: certain }];
  const isSection = uses.has("section");
  const structure = structureOf(node, isSection && node.reading === "turns");
  const types = typesOf(uses);
  // A plain value can show a section. A path may pass over a plain value if the key may be missing.
  const isPassedOver = node.keys.size > 0 && !uses.has("entered");
  const isLoose = isSection || isPassedOver || uses.has("flattened");
  if (structure.length > 0 && isLoose) types.push("scalar");
  const values = withoutParts(types).map((type) => ({ kind: "value", type }) as const);
  const all = [...structure, ...values];
  return uses.has("tested") && all.length > 0 ? [...all, { kind: "nothing" }] : all;
}

/**
 * Returns the alternatives for a place with keys, elements or both. Each key is described once, so that the result
 * remains short.
 */
function structureOf(node: DataNode, isSection: boolean): readonly Alternative[] {
  const isCrossed = node.keys.size > 0;
  if (isList(node)) {
    const isLoose = isCrossed || node.facts.uses.has("flattened");
    return [listOf(node, isLoose), ...(isLoose ? [{ kind: "any object" } as const] : [])];
  }
  if (!isCrossed) return [];
  const fields = admittedFields(node);
  return isSection
    ? [{ kind: "section", fields }]
    : [{ kind: "object", fields }, { kind: "any list" }];
}

function listOf(node: DataNode, passesOver: boolean): Alternative {
  const item = itemOf(node);
  return { kind: "list", item: placeOf(item), sparse: passesOver || !item.facts.required };
}

/** The types that uses require, beginning with the most specific one. */
const TYPES: readonly (readonly [ValueType, readonly Use[]])[] = [
  ["images", ["image", "pictured"]],
  ["text", ["url", "separator"]],
  ["dates", ["date", "time"]],
  ["number", ["operand", "places", "whole"]],
  ["numbers", ["number", "aggregated"]],
  ["masked", ["masked"]],
  ["text or boolean", ["texted", "dated"]],
  ["scalar", ["spelled", "ordered"]],
  ["measured", ["contains", "measured"]],
  [
    "printed",
    [...["printed", "delimited", "joined", "html", "markdown"], ...["coded", "urlPart"]] as Use[],
  ],
];

function typesOf(uses: ReadonlySet<Use>): ValueType[] {
  return TYPES.filter(([, evidence]) => evidence.some((use) => uses.has(use))).map(
    ([type]) => type,
  );
}

/** For each type, the other types that accept all of its values. */
const WHOLES: Readonly<Record<ValueType, readonly ValueType[]>> = {
  images: ["printed"],
  text: ["text or boolean", "scalar", "dates", "masked", "measured", "printed"],
  dates: ["masked", "printed"],
  number: ["numbers", "scalar", "masked", "printed"],
  numbers: ["masked", "printed"],
  masked: ["printed"],
  "text or boolean": ["scalar", "printed"],
  scalar: ["printed"],
  measured: [],
  printed: [],
};

function withoutParts(types: readonly ValueType[]): readonly ValueType[] {
  return types.filter((type) => !WHOLES[type].some((whole) => types.includes(whole)));
}
