import type { Json } from "./json.ts";

/** Where references lead, and whether what may be left out is shown: it is in answers. */
interface Context {
  readonly schemas: Readonly<Record<string, Json>>;
  readonly io: "input" | "output";
}

/**
 * A value as the schema has it: its own example where it has one, otherwise one that is made of the examples of its
 * parts. Throws where neither is there: then an example is to be written.
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
  throw new Error(`There is no example for ${JSON.stringify(schema)}. Give it one.`);
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
