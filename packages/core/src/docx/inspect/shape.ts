import { admittedFields, type Field } from "./admitted.ts";
import { type DataNode, type Facts, isIndex, itemOf, type Use } from "./data-node.ts";
import { joinElements } from "./elements.ts";
import { gather, type Programs } from "./gather.ts";
import { isList, PLAIN } from "./settle.ts";

/** What a plain value in a sample is. */
export type ValueType =
  /** A text, a number or a boolean: tags print either. */
  | "scalar"
  | "text"
  /** A number, or a text that spells one. */
  | "number"
  | "text or number"
  | "date"
  | "image";

/** What stands at a place in a sample. */
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
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Form> }
  /** What a section is over: a list of items, one item, or a boolean. */
  | { readonly kind: "section"; readonly item: Form; readonly facts: Facts };

/** The data that a template wants. */
export interface DataShape {
  /** What a sample of it holds: what fits all tags. */
  readonly fields: ReadonlyMap<string, Form>;
  /** What it may hold. */
  readonly admitted: ReadonlyMap<string, Field>;
}

/** The shape of the data that programs use: what their schema, types and sample are written from. */
export function shapeOf(parts: Programs): DataShape {
  const { root } = gather(parts);
  joinElements(root);
  return { fields: fieldsOf(root), admitted: admittedFields(root) };
}

function fieldsOf({ keys }: DataNode): ReadonlyMap<string, Form> {
  return new Map([...keys].map(([key, node]) => [key, formOf(node)]));
}

function formOf(node: DataNode): Form {
  const { facts, keys, reading } = node;
  const { uses } = facts;
  if (uses.has("deep")) return { kind: "anything", facts };
  if (isList(node)) return { kind: "list", item: formOf(itemOf(node)), atLeast: lengthOf(node) };
  const isSection = uses.has("section") && reading === "turns";
  if (keys.size > 0 && !isFirmlyPlain(facts)) {
    const object: Form = { kind: "object", fields: fieldsOf(node) };
    return isSection ? { kind: "section", item: object, facts } : object;
  }
  if (isSection && uses.has("asked")) {
    return { kind: "section", item: { kind: "anything", facts }, facts };
  }
  return valueForm(facts);
}

/** Whether some tag prints it whatever the conditions are, or computes with it, while its keys may be missing. */
function isFirmlyPlain({ firm }: Facts): boolean {
  return !firm.has("entered") && PLAIN.some((use) => use !== "compared" && firm.has(use));
}

/** The number of elements that tags name by their index. */
function lengthOf({ keys }: DataNode): number {
  let length = 0;
  for (const key of keys.keys()) if (isIndex(key)) length = Math.max(length, Number(key) + 1);
  return length;
}

function valueForm(facts: Facts): Form {
  const type = typeOf(facts.uses);
  return type === null
    ? { kind: "anything", facts }
    : { kind: "value", type, many: manyOf(type, facts.uses), facts };
}

/** What a use wants, the most telling uses first. */
const TYPES: readonly (readonly [ValueType, readonly Use[]])[] = [
  ["image", ["image", "pictured"]],
  ["text", ["url", "html", "markdown", "separator"]],
  ["date", ["date", "time", "dated"]],
  ["text or number", ["masked", "coded"]],
  ["number", ["number", "operand", "places", "aggregated", "spelled"]],
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
  if (ALONE.some((use) => uses.has(use))) return null;
  if (uses.has("aggregated")) return "number";
  if (uses.has("joined") || uses.has("delimited")) return type === "text" ? "scalar" : type;
  if (type !== "text" || !(uses.has("contains") || uses.has("measured"))) return null;
  return uses.has("contains") || uses.has("printed") ? "scalar" : "anything";
}

/** Uses that no list fits. */
const ALONE: readonly Use[] = ["operand", "texted", "spelled", "dated", "ordered"];
