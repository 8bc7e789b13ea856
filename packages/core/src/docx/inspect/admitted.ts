import { type DataNode, type Facts, itemOf, type Use } from "./data-node.ts";
import { isList } from "./settle.ts";

/** What plain values a tag takes, some of them as the elements of a list as well. */
export type ValueType =
  /** What a tag prints: a text, a number, a boolean or a picture, or a list of them. */
  | "printed"
  | "scalar"
  | "text"
  | "text or boolean"
  /** A number, or a text that spells one; with `numbers`, or a list of them. */
  | "number"
  | "numbers"
  /** A text that is a date, or a list of them. */
  | "dates"
  /** A text or a number, or a list of them. */
  | "masked"
  /** A picture, or a list of them. */
  | "images"
  /** A text, or a list of whatever it is. */
  | "measured";

/** One of the things that may stand at a place. */
export type Alternative =
  | { readonly kind: "value"; readonly type: ValueType }
  | {
      readonly kind: "list";
      readonly item: Place;
      /** Whether elements may be missing. */
      readonly sparse: boolean;
    }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field> }
  /** What a section with names in it is over: such an object, or a list of what it likes. */
  | { readonly kind: "section"; readonly fields: ReadonlyMap<string, Field> }
  /** A list on which paths go on in each element, or an object which has indexes as its keys. */
  | { readonly kind: "any list" | "any object" }
  /** What an `if` takes for nothing: `false`, 0, an empty text, an empty list. */
  | { readonly kind: "nothing" };

/** What may stand at a place in the data. */
export interface Place {
  /** None when whatever it likes may stand there. */
  readonly alternatives: readonly Alternative[];
  readonly facts: Facts;
}

/** A key of an object. */
export interface Field extends Place {
  /**
   * Whether some tag needs it whatever the conditions around it are: one that is neither `optional` nor
   * has a `default`, does more than to ask whether it is there, and stands in no branch and no block.
   */
  readonly required: boolean;
}

/**
 * What the keys of a place may hold. What tags do with a place whatever the conditions around them are, the
 * data must fit; where there is no such tag, it must fit one of them.
 */
export function admittedFields({ keys }: DataNode): ReadonlyMap<string, Field> {
  return new Map(
    [...keys].map(([key, node]) => [key, { ...placeOf(node), required: node.facts.required }]),
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
  // What has no keys shows a section, and is passed over where keys may be missing.
  const isPassedOver = node.keys.size > 0 && !uses.has("entered");
  const isLoose = isSection || isPassedOver || uses.has("flattened");
  if (structure.length > 0 && isLoose) types.push("scalar");
  const values = withoutParts(types).map((type) => ({ kind: "value", type }) as const);
  const all = [...structure, ...values];
  return uses.has("tested") && all.length > 0 ? [...all, { kind: "nothing" }] : all;
}

/** What has keys, elements or both. Each key is described once, so that what is written stays short. */
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

/** What uses want, the most telling first. */
const TYPES: readonly (readonly [ValueType, readonly Use[]])[] = [
  ["images", ["image", "pictured"]],
  ["text", ["url", "separator"]],
  ["dates", ["date", "time"]],
  ["number", ["operand", "places"]],
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
  return TYPES.filter(([, telling]) => telling.some((use) => uses.has(use))).map(([type]) => type);
}

/** The types that hold all values of others. */
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
