import type { Alternative, Field, Place, ValueType } from "./admitted.ts";
import { describeField } from "./describe.ts";
import { PrefixedNames } from "./prefixed-names.ts";
import type { DataShape } from "./shape.ts";

/** The subset of JSON Schema that is used here. */
export interface JsonSchema {
  /** The URI of draft 2020-12. Only at the root. */
  readonly $schema?: string;
  /** A pointer to one of the root's `$defs`: `#/$defs/Printed`. */
  readonly $ref?: string;
  /** Schemas that several places share, by name. Only at the root. */
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  /** In English: the allowed values, and the tags that use the place. */
  readonly description?: string;
  /**
   * The allowed types; `null` means that the value may be missing. If absent, only `anyOf`, `enum` and `$ref` limit the
   * type.
   */
  readonly type?: string | readonly string[];
  /** Only within references to pictures: `file` or `url`. */
  readonly const?: string;
  /** Values that count as false, for places that conditions check. */
  readonly enum?: readonly unknown[];
  /** A regular expression for numeric strings. Does not apply to other types. */
  readonly pattern?: string;
  /** The schemas of the keys of an object. Other keys are allowed. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The keys that the data must have. If absent, no key is required. */
  readonly required?: readonly string[];
  /** The schema of each element of a list. If absent, any elements are allowed. */
  readonly items?: JsonSchema;
  /** Alternatives, of which at least one must match. */
  readonly anyOf?: readonly JsonSchema[];
}

/**
 * Returns the JSON Schema (draft 2020-12) of the data that a template needs. Data that the template renders without a
 * warning is valid, with three exceptions: values that no tag could print or repeat, if conditions keep all tags from
 * using them; pictures for tags that format numbers; and flat data with dots in its keys. Other keys are allowed, and
 * values that no tag needs may be missing or null. The schema is for JSON, so dates are strings.
 */
export function schemaOf(shape: DataShape): JsonSchema {
  return new SchemaWriter().root(shape);
}

/** Matches numeric strings. */
const NUMBER_PATTERN = "^\\s*[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,4})?\\s*$";

const SCALAR: JsonSchema = { type: ["string", "number", "boolean"] };
const NUMBER: JsonSchema = { type: ["number", "string"], pattern: NUMBER_PATTERN };
const IMAGES = [reference("file", "id"), reference("url", "url")];

const VALUES: Readonly<Record<ValueType, JsonSchema>> = {
  printed: severalOf([SCALAR, ...IMAGES]),
  scalar: SCALAR,
  text: { type: "string" },
  "text or boolean": { type: ["string", "boolean"] },
  number: NUMBER,
  numbers: united([NUMBER, { type: "array", items: orNull(NUMBER) }]),
  dates: { type: ["string", "array"], items: { type: ["string", "null"] } },
  masked: { type: ["string", "number", "array"], items: { type: ["string", "number", "null"] } },
  images: severalOf([{ type: "string" }, ...IMAGES]),
  measured: { type: ["string", "array"] },
};

function severalOf(schemas: readonly JsonSchema[]): JsonSchema {
  return { anyOf: [...schemas, { type: "array", items: orNull({ anyOf: schemas }) }] };
}

function reference(type: string, key: string): JsonSchema {
  return {
    type: "object",
    properties: { type: { const: type }, [key]: { type: "string" } },
    required: ["type", key],
  };
}

/** The name of the schema that most tags share, which is written only once. */
const PRINTED = "Printed";

class SchemaWriter {
  readonly #names = new PrefixedNames("");
  /** Shared schemas: values that tags print, and values of sections. */
  readonly #definitions = new Map<string, JsonSchema>();

  root({ admitted }: DataShape): JsonSchema {
    this.#names.next(PRINTED);
    const object = this.#object(admitted);
    const $defs = Object.fromEntries(this.#definitions);
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      ...object,
      ...(this.#definitions.size === 0 ? {} : { $defs }),
    };
  }

  #object(fields: ReadonlyMap<string, Field>): JsonSchema {
    const required = [...fields].filter(([, field]) => field.required).map(([key]) => key);
    // All entries become own properties, even a key such as `__proto__`.
    const properties = Object.fromEntries(
      [...fields].map(([key, field]) => [key, this.#field(key, field)]),
    );
    return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
  }

  #field(key: string, field: Field): JsonSchema {
    const schema = this.#place(key, field);
    const description = describeField(field);
    return {
      ...(description === "" ? {} : { description }),
      ...(field.required ? schema : orNull(schema)),
    };
  }

  #place(key: string, { alternatives }: Place): JsonSchema {
    return united(alternatives.flatMap((each) => this.#alternative(key, each)));
  }

  /** Returns the schemas of one alternative: two for a section (a list and an object), otherwise one. */
  #alternative(key: string, alternative: Alternative): readonly JsonSchema[] {
    switch (alternative.kind) {
      case "value":
        return [this.#value(alternative.type)];
      case "object":
        return [this.#object(alternative.fields)];
      case "any list":
        return [{ type: "array" }];
      case "any object":
        return [{ type: "object" }];
      case "nothing":
        return [{ enum: [false, 0, "", []] }];
      case "list": {
        const items = this.#place(key, alternative.item);
        return [{ type: "array", items: alternative.sparse ? orNull(items) : items }];
      }
      case "section": {
        const name = this.#names.next(key);
        this.#definitions.set(name, this.#object(alternative.fields));
        const object = { $ref: `#/$defs/${name}` };
        const other = { type: ["string", "number", "boolean", "array", "null"] };
        return [{ type: "array", items: { anyOf: [object, other] } }, object];
      }
    }
  }

  #value(type: ValueType): JsonSchema {
    if (type !== "printed") return VALUES[type];
    this.#definitions.set(PRINTED, VALUES.printed);
    return { $ref: `#/$defs/${PRINTED}` };
  }
}

/**
 * Combines schemas as alternatives. Schemas of different types become one schema, in which each keyword applies
 * only to its type. A validator then reports the problem of a value, and not only that no alternative matches.
 */
function united(schemas: readonly JsonSchema[]): JsonSchema {
  const typed = schemas.filter(({ type }) => type !== undefined);
  const types = typed.flatMap(({ type = [] }) => type);
  const isOne = typed.length > 1 && new Set(types).size === types.length;
  const one: JsonSchema = Object.assign({}, ...typed, { type: types });
  const all = isOne ? [one, ...schemas.filter(({ type }) => type === undefined)] : schemas;
  const [only = {}] = all;
  return all.length <= 1 ? only : { anyOf: all };
}

/** Returns a schema that also allows null, which means missing. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, $ref, enum: values } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if ($ref !== undefined || values !== undefined) return { anyOf: [schema, { type: "null" }] };
  if (type === undefined) return schema;
  return { ...schema, type: [...(typeof type === "string" ? [type] : type), "null"] };
}
