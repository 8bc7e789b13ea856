import {
  type DataNode,
  type Facts,
  isIndex,
  itemOf,
  keyOf,
  mergeNodes,
  noteLiteral,
  type Use,
} from "./data-node.ts";
import { gather, type Programs } from "./gather.ts";
import { isList } from "./settle.ts";

/** What a plain value may be. */
export type ValueType =
  /** A text, a number or a boolean: tags print either. */
  | "scalar"
  | "text"
  /** A number, or a text that spells one. */
  | "number"
  | "text or number"
  | "date"
  | "image";

/** What stands at a place in the data. */
export type Form =
  /** Whatever it is, it is only asked whether it is there. */
  | { readonly kind: "anything"; readonly facts: Facts }
  | {
      readonly kind: "value";
      readonly type: ValueType;
      /** What the elements are when a list may stand there as well; null when it may not. */
      readonly many: ValueType | "anything" | null;
      readonly facts: Facts;
    }
  | {
      readonly kind: "list";
      readonly item: Form;
      /** The number of elements that tags name by their index. */
      readonly atLeast: number;
    }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Field> }
  /** What a section is over: a list of items, one item, or a boolean. */
  | { readonly kind: "section"; readonly item: Form; readonly facts: Facts };

/** A key of an object. */
export interface Field {
  readonly form: Form;
  /**
   * Whether some tag needs it whatever the conditions around it are: one that is neither `optional` nor
   * has a `default`, does more than to ask whether it is there, and stands in no branch and no section.
   */
  readonly required: boolean;
  /** The first few of the tags that name it, and whether there are more. */
  readonly tags: readonly string[];
  readonly moreTags: boolean;
}

/** The data that a template wants. */
export interface DataShape {
  readonly fields: ReadonlyMap<string, Field>;
}

/** The shape of the data that programs use: what their schema, types and sample are written from. */
export function shapeOf(parts: Programs): DataShape {
  return { fields: fieldsOf(gather(parts).root) };
}

function fieldsOf({ keys }: DataNode): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const [key, node] of keys) {
    const { required, tags, moreTags } = node.facts;
    fields.set(key, { form: formOf(node), required, tags, moreTags });
  }
  return fields;
}

function formOf(node: DataNode): Form {
  const { facts, keys, reading } = node;
  const { uses } = facts;
  if (uses.has("deep")) return { kind: "anything", facts };
  if (isList(node)) return listForm(node);
  const isSection = uses.has("section") && reading === "turns";
  if (keys.size > 0) {
    const object: Form = { kind: "object", fields: fieldsOf(node) };
    return isSection ? { kind: "section", item: object, facts } : object;
  }
  if (isSection && uses.has("asked")) {
    return { kind: "section", item: { kind: "anything", facts }, facts };
  }
  return valueForm(facts);
}

/** A list: what is said of its keys is said of each element, and so is what is done with the list as a value. */
function listForm(node: DataNode): Form {
  const item = itemOf(node);
  let atLeast = 0;
  for (const [key, inner] of node.keys) {
    inner.facts.required = false;
    if (isIndex(key)) {
      atLeast = Math.max(atLeast, Number(key) + 1);
      mergeNodes(item, inner);
    } else if (item.keys.has(key)) mergeNodes(keyOf(item, key), inner);
    else item.keys.set(key, inner);
  }
  for (const use of node.facts.uses) {
    const ofElement = OF_ELEMENTS[use];
    if (ofElement !== undefined) item.facts.uses.add(ofElement);
  }
  for (const part of node.facts.parts) noteLiteral(item.facts.wanted, part);
  item.facts.mask ??= node.facts.mask;
  return { kind: "list", item: formOf(item), atLeast };
}

/** What the use of a list as a value does with its elements. */
const OF_ELEMENTS: Readonly<Partial<Record<Use, Use>>> = {
  printed: "printed",
  delimited: "printed",
  joined: "printed",
  contains: "compared",
  date: "date",
  time: "time",
  number: "number",
  aggregated: "number",
  masked: "masked",
};

function valueForm(facts: Facts): Form {
  const type = typeOf(facts.uses);
  return type === null
    ? { kind: "anything", facts }
    : { kind: "value", type, many: manyOf(type, facts.uses), facts };
}

/** What a use wants, the most telling uses first. */
const TYPES: readonly (readonly [ValueType, readonly Use[]])[] = [
  ["image", ["image"]],
  ["text", ["url", "html", "markdown", "separator"]],
  ["date", ["date", "time"]],
  ["text or number", ["masked", "coded"]],
  ["number", ["number", "operand", "places", "aggregated"]],
  ["text", ["texted", "contains", "measured"]],
  [
    "scalar",
    ["printed", "compared", "ordered", "delimited", "joined", "checkbox", "urlPart", "instruction"],
  ],
];

/** Null when nothing but tests, or counting, uses it. */
function typeOf(uses: ReadonlySet<Use>): ValueType | null {
  const found = TYPES.find(([, telling]) => telling.some((use) => uses.has(use)));
  return found === undefined ? null : found[0];
}

function manyOf(type: ValueType, uses: ReadonlySet<Use>): ValueType | "anything" | null {
  if (uses.has("operand") || uses.has("texted") || uses.has("ordered")) return null;
  if (uses.has("aggregated")) return "number";
  if (uses.has("joined") || uses.has("delimited")) return type === "text" ? "scalar" : type;
  if (type !== "text" || !(uses.has("contains") || uses.has("measured"))) return null;
  return uses.has("contains") || uses.has("printed") ? "scalar" : "anything";
}
