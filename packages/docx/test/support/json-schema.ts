import type { JsonSchema } from "../../src/inspect/schema.ts";

/** Returns the problems of a value, checked with the JSON Schema keywords that template schemas use. */
export function problemsOf(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema = schema,
  at = "",
): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
  if (unknown.length > 0) return [`${at} has the schema keywords ${unknown}`];
  if (schema.$ref !== undefined) {
    const definition = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    return definition === undefined
      ? [`${at}: no ${schema.$ref}`]
      : problemsOf(value, definition, root, at);
  }
  if (schema.anyOf?.every((each) => problemsOf(value, each, root, at).length > 0)) {
    return [`${at} does not match any alternative`];
  }
  if (
    schema.enum !== undefined &&
    !schema.enum.some((each) => JSON.stringify(each) === JSON.stringify(value))
  ) {
    return [`${at} is not one of ${JSON.stringify(schema.enum)}`];
  }
  const { type, pattern } = schema;
  const types = type === undefined ? null : [type].flat();
  if (types !== null && !types.includes(typeName(value))) return [`${at} is not of type ${types}`];
  if (schema.const !== undefined && value !== schema.const) return [`${at} is not ${schema.const}`];
  if (pattern !== undefined && typeof value === "string" && !new RegExp(pattern, "u").test(value)) {
    return [`${at} does not match the pattern`];
  }
  return within(value, schema, root, at);
}

const KEYWORDS = new Set([
  ...["$schema", "$ref", "$defs", "description", "type", "const", "enum", "pattern"],
  ...["properties", "required", "items", "anyOf"],
]);

/** Returns the problems of the elements or the keys of a value. */
function within(value: unknown, schema: JsonSchema, root: JsonSchema, at: string): string[] {
  const { properties = {}, required = [], items } = schema;
  if (Array.isArray(value) && items !== undefined) {
    return value.flatMap((item, index) => problemsOf(item, items, root, `${at}/${index}`));
  }
  if (typeName(value) !== "object") return [];
  const object = value as Readonly<Record<string, unknown>>;
  return [
    ...required.filter((key) => !Object.hasOwn(object, key)).map((key) => `${at} has no ${key}`),
    ...Object.entries(object).flatMap(([key, inner]) => {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return known === undefined ? [] : problemsOf(inner, known, root, `${at}/${key}`);
    }),
  ];
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
