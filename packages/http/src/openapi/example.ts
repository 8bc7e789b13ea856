import type { Json } from "./json.ts";

/** The schemas that references point to, by name. Examples of responses (`output`) also include optional properties. */
interface Context {
  readonly schemas: Readonly<Record<string, Json>>;
  readonly io: "input" | "output";
}

/**
 * Returns a value that matches the schema: the schema's own example if it has one, otherwise a value built from the
 * examples of its parts. Throws if a part has no example. In that case, add one to its schema.
 */
export function exampleOf(schema: Json, context: Context): unknown {
  const { examples, $ref, anyOf, oneOf, type, items } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof $ref === "string") return exampleOf(resolved($ref, context), context);
  if ("default" in schema) return schema.default;
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = (anyOf ?? oneOf ?? []) as Json[];
  if (first !== undefined) return exampleOf(first, context);
  if (type === "object") return exampleOfObject(schema, context);
  if (type === "array") return [exampleOf(items as Json, context)];
  throw new Error(`The schema ${JSON.stringify(schema)} has no example. Add one.`);
}

function exampleOfObject(schema: Json, context: Context): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const required = (schema.required ?? []) as string[];
  const shown = properties.filter(
    ([name, { examples }]) => required.includes(name) || (examples && context.io === "output"),
  );
  return Object.fromEntries(shown.map(([name, json]) => [name, exampleOf(json, context)]));
}

function resolved(ref: string, { schemas }: Context): Json {
  const found = schemas[ref.slice(ref.lastIndexOf("/") + 1)];
  if (found === undefined) throw new Error(`The document has no ${ref}.`);
  return found;
}
