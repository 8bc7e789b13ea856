import { describeField } from "./describe.ts";
import { Names } from "./names.ts";
import type { DataShape, Field, Form, ValueType } from "./shape.ts";

/** A JSON Schema, as far as one is written here. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/**
 * The JSON Schema (draft 2020-12) of the data that a template wants. It holds what is known: other keys may
 * be there too, what only is printed may be a text, a number or a boolean, and what no tag needs may be
 * missing or null. It is for JSON: dates are texts.
 */
export function schemaOf(shape: DataShape): JsonSchema {
  return new SchemaWriter().root(shape);
}

/** The texts that spell a number. */
const NUMBER_PATTERN = "^\\s*[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,4})?\\s*$";

const VALUES: Readonly<Record<ValueType, JsonSchema>> = {
  scalar: { type: ["string", "number", "boolean"] },
  text: { type: "string" },
  number: { type: ["number", "string"], pattern: NUMBER_PATTERN },
  "text or number": { type: ["string", "number"] },
  date: { type: "string" },
  image: { anyOf: [{ type: "string" }, reference("file", "id"), reference("url", "url")] },
};

function reference(type: string, key: string): JsonSchema {
  return {
    type: "object",
    properties: { type: { const: type }, [key]: { type: "string" } },
    required: ["type", key],
  };
}

class SchemaWriter {
  readonly #names = new Names("");
  /** What sections are over, which stands in two places: as each item of a list, and by itself. */
  readonly #definitions = new Map<string, JsonSchema>();

  root({ fields }: DataShape): JsonSchema {
    const object = this.#object(fields);
    const $defs = Object.fromEntries(this.#definitions);
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...object,
      ...(this.#definitions.size === 0 ? {} : { $defs }),
    };
  }

  #object(fields: ReadonlyMap<string, Field>): JsonSchema {
    const required = [...fields].filter(([, field]) => field.required).map(([key]) => key);
    // Entries become own properties, whatever their keys are.
    const properties = Object.fromEntries(
      [...fields].map(([key, field]) => [key, this.#field(key, field)]),
    );
    return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
  }

  #field(key: string, field: Field): JsonSchema {
    const schema = this.#form(key, field.form);
    const description = describeField(field);
    return {
      ...(description === "" ? {} : { description }),
      ...(field.required ? schema : orNull(schema)),
    };
  }

  #form(key: string, form: Form): JsonSchema {
    switch (form.kind) {
      case "anything":
        return {};
      case "object":
        return this.#object(form.fields);
      case "list":
        return { type: "array", items: this.#form(key, form.item) };
      case "section": {
        const name = this.#names.next(key);
        this.#definitions.set(name, this.#form(key, form.item));
        const $ref = `#/$defs/${name}`;
        return { anyOf: [{ type: "array", items: { $ref } }, { $ref }, { type: "boolean" }] };
      }
      case "value": {
        const one = VALUES[form.type];
        if (form.many === null) return one;
        const items = form.many === "anything" ? {} : VALUES[form.many];
        return { anyOf: [one, { type: "array", items }] };
      }
    }
  }
}

/** The same, or null, which means missing. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (type === undefined) return schema;
  return { ...schema, type: [...(typeof type === "string" ? [type] : type), "null"] };
}
