import { z } from "zod";
import { exampleOf } from "./example.ts";
import type { Json } from "./json.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** The kinds of components, except schemas. */
type Kind = "parameters" | "headers" | "responses";

/** Limits that schemas refer to with `maxItemsOf`, by name. */
export type OpenApiLimits = Readonly<Record<string, number>>;

/** The components of a document, collected while it is built. */
export class Components {
  /** The schemas that `Components.of` has added, by name. */
  readonly schemas: Record<string, Json> = {};
  readonly #others: Record<Kind, Record<string, Json>> = {
    parameters: {},
    headers: {},
    responses: {},
  };
  readonly #limits: OpenApiLimits;

  constructor(limits: OpenApiLimits) {
    this.#limits = limits;
  }

  /**
   * Returns a schema for the document: a reference if it has a name. Response schemas are closed; request schemas are
   * open.
   */
  of(schema: z.ZodType, io: "input" | "output"): Json {
    const json = z.toJSONSchema(schema, {
      target: "draft-2020-12",
      io,
      override: ({ jsonSchema }) => this.#adjust(jsonSchema as Json),
    }) as Json;
    const { $defs = {}, $schema: _, ...root } = json;
    for (const [name, definition] of Object.entries($defs as Record<string, Json>)) {
      this.#addSchema(name, definition);
    }
    const name = schema.meta()?.id;
    if (name === undefined) return located(root);
    // A named schema may also be listed in `$defs`. Then the root is a reference to it.
    if (root.$ref === undefined) this.#addSchema(name, root);
    return { $ref: `#/components/schemas/${name}` };
  }

  /**
   * Returns a reference to a component that the document defines once. Throws if a different component has the same
   * name.
   */
  shared(kind: Kind, name: string, part: Json): Json {
    keep(this.#others[kind], name, part);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** Returns an example for a schema: the schema's own example, or one built from the examples of its parts. */
  exampleOf(schema: Json, io: "input" | "output"): unknown {
    return exampleOf(schema, { schemas: this.schemas, io });
  }

  /** Returns all components. */
  toJSON(): Json {
    return { schemas: this.schemas, ...this.#others };
  }

  /**
   * Applies the parts of a schema that are only for the OpenAPI document: `documented` replaces the schema, and
   * `maxItemsOf` names a limit of the service.
   */
  #adjust(json: Json): void {
    const { documented, maxItemsOf } = json;
    if (documented !== undefined) {
      const { description } = json;
      for (const key of Object.keys(json)) delete json[key];
      Object.assign(json, { description }, documented);
    }
    if (maxItemsOf !== undefined) {
      delete json.maxItemsOf;
      const limit = this.#limits[String(maxItemsOf)];
      if (Number.isSafeInteger(limit)) json.maxItems = limit;
    }
    // The format is clearer than the pattern that zod adds for it.
    if (json.format !== undefined) delete json.pattern;
    if (json.type === "integer")
      json.format ??= Number(json.maximum) > MAX_INT32 ? "int64" : "int32";
  }

  #addSchema(name: string, { id: _, ...definition }: Json): void {
    keep(this.schemas, name, located(definition));
  }
}

function keep(parts: Record<string, Json>, name: string, part: Json): void {
  const known = parts[name];
  if (known === undefined) parts[name] = part;
  else if (JSON.stringify(known) !== JSON.stringify(part)) {
    throw new Error(`Two different parts of the document are called ${name}. Rename one.`);
  }
}

/** Returns a copy whose references point to `#/components/schemas`, where an OpenAPI document contains its schemas. */
function located(json: Json): Json {
  return JSON.parse(
    JSON.stringify(json).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as Json;
}
