import { z } from "zod";
import type { Limits } from "../options.ts";
import { exampleOf } from "./example.ts";
import type { Json } from "./json.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** What a component can be, other than a schema. */
type Kind = "parameters" | "headers" | "responses";

/** The named parts of a document, gathered as they are met. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #others: Record<Kind, Record<string, Json>> = {
    parameters: {},
    headers: {},
    responses: {},
  };
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** A schema as the document has it: a reference, if it has a name. Answers are told strictly, requests openly. */
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
    // One with a name may come as a reference to itself among the others.
    if (root.$ref === undefined) this.#addSchema(name, root);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A reference to a part that is told once. Throws when another one has its name. */
  shared(kind: Kind, name: string, part: Json): Json {
    keep(this.#others[kind], name, part);
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** A value as such a schema has it: its own example, or one made of those of its parts. */
  exampleOf(schema: Json, io: "input" | "output"): unknown {
    return exampleOf(schema, { schemas: this.schemas, io });
  }

  /** All of them. */
  toJSON(): Json {
    return { schemas: this.schemas, ...this.#others };
  }

  /** What schemas say for this document alone: `told` in their place, `maxItemsOf` for a limit of the service. */
  #adjust(json: Json): void {
    const { told, maxItemsOf } = json;
    if (told !== undefined) {
      const { description } = json;
      for (const key of Object.keys(json)) delete json[key];
      Object.assign(json, { description }, told);
    }
    if (maxItemsOf !== undefined) {
      delete json.maxItemsOf;
      const limit = this.#limits[maxItemsOf as keyof Limits];
      if (Number.isSafeInteger(limit)) json.maxItems = limit;
    }
    // The format says it better than zod's pattern for it.
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

/** The same with references to where an OpenAPI document has its schemas. */
function located(json: Json): Json {
  return JSON.parse(
    JSON.stringify(json).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as Json;
}
