import type { Programs } from "../program/programs.ts";
import { admittedFields, type Field } from "./admitted.ts";
import { type DataNode, type Facts, isIndex, itemOf, type Use } from "./data-node.ts";
import { joinElements } from "./elements.ts";
import { gather } from "./gather.ts";
import { isList, PLAIN } from "./settle.ts";

/** The type of a plain value in a sample. */
export type ValueType =
  /** A string, a number or a boolean: tags print any of them. */
  | "scalar"
  | "text"
  /** A number or a numeric string. */
  | "number"
  | "text or number"
  | "date"
  | "image";

/** The form of a value at a place in a sample. */
export type Form =
  /** Any value: tags only check whether it exists. */
  | { readonly kind: "anything"; readonly facts: Facts }
  | {
      readonly kind: "value";
      readonly type: ValueType;
      /** The type of the elements if a list is also allowed; otherwise null. */
      readonly many: ValueType | "anything" | null;
      readonly facts: Facts;
    }
  | {
      readonly kind: "list";
      readonly item: Form;
      /** The minimum number of elements: one more than the highest index in a tag, or 0. */
      readonly atLeast: number;
    }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Form> }
  /** The value of a section: a list of items, one item, or a boolean. */
  | { readonly kind: "section"; readonly item: Form; readonly facts: Facts };

/** The data that a template needs. */
export interface DataShape {
  /** The fields of a sample, which fit all tags. */
  readonly fields: ReadonlyMap<string, Form>;
  /** The allowed values. */
  readonly admitted: ReadonlyMap<string, Field>;
}

/** Returns the shape of the data that programs use. Schema, types and samples are created from it. */
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

/** Whether a tag prints the value or computes with it under all conditions, but no tag needs its keys. */
function isFirmlyPlain({ firm }: Facts): boolean {
  return !firm.has("entered") && PLAIN.some((use) => use !== "compared" && firm.has(use));
}

/** Returns the minimum number of elements: one more than the highest index in a tag, or 0. */
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

/** The types that uses require, the most specific uses first. */
const TYPES: readonly (readonly [ValueType, readonly Use[]])[] = [
  ["image", ["image", "pictured"]],
  ["text", ["url", "html", "markdown", "separator"]],
  ["date", ["date", "time", "dated"]],
  ["text or number", ["masked", "coded"]],
  ["number", ["number", "operand", "places", "whole", "aggregated", "spelled"]],
  ["text", ["texted", "contains", "measured"]],
  [
    "scalar",
    ["printed", "compared", "ordered", "delimited", "joined", "checkbox", "urlPart", "instruction"],
  ],
];

/** Returns the type that uses require, or null if the value is only tested or counted. */
function typeOf(uses: ReadonlySet<Use>): ValueType | null {
  const found = TYPES.find(([, evidence]) => evidence.some((use) => uses.has(use)));
  return found === undefined ? null : found[0];
}

function manyOf(type: ValueType, uses: ReadonlySet<Use>): ValueType | "anything" | null {
  if (ALONE.some((use) => uses.has(use))) return null;
  if (uses.has("aggregated")) return "number";
  if (uses.has("joined") || uses.has("delimited")) return type === "text" ? "scalar" : type;
  if (uses.has("counted") && !uses.has("url") && !uses.has("separator")) return type;
  if (type !== "text" || !(uses.has("contains") || uses.has("measured"))) return null;
  return uses.has("contains") || uses.has("printed") ? "scalar" : "anything";
}

/** Uses for which a list is not allowed. */
const ALONE: readonly Use[] = ["operand", "whole", "texted", "spelled", "dated", "ordered"];
