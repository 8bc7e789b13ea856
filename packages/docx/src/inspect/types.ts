import { QuireError } from "@quire/contracts";
import type { Alternative, Field, Place, ValueType } from "./admitted.ts";
import { describeField } from "./describe.ts";
import { PrefixedNames } from "./prefixed-names.ts";
import type { DataShape } from "./shape.ts";

/**
 * Returns TypeScript types of the data that a template needs, as the source of a module or declaration file: a type
 * with the given name, and a type for each object in it. They are type aliases, because the data for `render` may have
 * any keys, and interfaces are not assignable to such a type. Throws `invalid_request` for a name that does not consist
 * of letters, digits and underscores with a capital letter first, or that means another type in the generated source,
 * such as `Date`.
 */
export function typesOf(shape: DataShape, name = "TemplateData"): string {
  if (!/^(?!(?:Date|Readonly|Record)$)[A-Z]\w{0,99}$/.test(name)) {
    throw new QuireError(
      "invalid_request",
      `The name ${JSON.stringify(name)} is not allowed for the types: use letters, digits and underscores, with a capital letter first, such as TemplateData.`,
    );
  }
  return new TypeWriter(name).write(shape);
}

const SCALAR = "string | number | bigint | boolean | Date";
const NUMBER = "number | bigint | string";
const IMAGE =
  '{ readonly type: "file"; readonly id: string } | { readonly type: "url"; readonly url: string }';

const VALUES: Readonly<Record<ValueType, string>> = {
  printed: `${SCALAR} | ${IMAGE} | ${listOf(`${SCALAR} | ${IMAGE} | null`)}`,
  scalar: SCALAR,
  text: "string",
  "text or boolean": "string | boolean | Date",
  number: NUMBER,
  numbers: `${NUMBER} | ${listOf(`${NUMBER} | null`)}`,
  dates: `string | Date | ${listOf("string | Date | null")}`,
  masked: `string | number | bigint | ${listOf("string | number | bigint | null")}`,
  images: `string | ${IMAGE} | ${listOf(`string | ${IMAGE} | null`)}`,
  measured: "string | readonly unknown[]",
};

/** An object whose type has not been written yet. */
interface Declaration {
  readonly name: string;
  readonly comment: string;
  readonly fields: ReadonlyMap<string, Field>;
}

class TypeWriter {
  readonly #name: string;
  readonly #names: PrefixedNames;
  readonly #open: Declaration[] = [];
  /** The name of the type for printed values, which most fields have. */
  readonly #printed: string;
  readonly #section: string;
  /** Helper types to write after the object types, because one of these uses them. */
  readonly #helpers = new Set<string>();

  constructor(name: string) {
    this.#name = name;
    this.#names = new PrefixedNames(name);
    this.#printed = this.#names.next("Printed");
    this.#section = this.#names.next("Section");
  }

  write({ admitted }: DataShape): string {
    this.#open.push({
      name: this.#name,
      comment: "The data that the template needs.",
      fields: admitted,
    });
    const written: string[] = [];
    for (const declaration of this.#open) written.push(this.#declaration(declaration));
    written.push(...this.#helpers);
    return written.join("\n");
  }

  #declaration({ name, comment, fields }: Declaration): string {
    const lines = [...fields].map(([key, field]) => {
      const type = this.#place(key, field);
      const nullable = field.required || type === "unknown" ? type : `${type} | null`;
      const mark = field.required ? "" : "?";
      return `${commentLine(describeField(field))}  readonly ${keyText(key)}${mark}: ${nullable};\n`;
    });
    const head = comment === "" ? "" : `/** ${comment} */\n`;
    // Without keys, any object is allowed, and nothing else.
    if (lines.length === 0)
      return `${head}export type ${name} = Readonly<Record<string, unknown>>;\n`;
    return `${head}export type ${name} = {\n${lines.join("")}};\n`;
  }

  #place(key: string, { alternatives }: Place): string {
    if (alternatives.length === 0) return "unknown";
    // The template also accepts a list in place of an object. In the type, it would hide the object's keys.
    const isObject = alternatives.some(({ kind }) => kind === "object");
    const shown = alternatives.filter(({ kind }) => !(isObject && kind === "any list"));
    return shown.map((each) => this.#alternative(key, each)).join(" | ");
  }

  #alternative(key: string, alternative: Alternative): string {
    switch (alternative.kind) {
      case "value":
        if (alternative.type !== "printed") return VALUES[alternative.type];
        this.#helpers.add(
          `/** A value that a tag prints: text, a number, true or false, a date, a picture, or a list. */\nexport type ${this.#printed} = ${VALUES.printed};\n`,
        );
        return this.#printed;
      case "object":
        return this.#object(key, alternative.fields);
      case "any list":
        return "readonly unknown[]";
      case "any object":
        return "Readonly<Record<string, unknown>>";
      case "nothing":
        return 'false | 0 | "" | readonly []';
      case "list": {
        const item = this.#place(key, alternative.item);
        return listOf(alternative.sparse && item !== "unknown" ? `${item} | null` : item);
      }
      case "section": {
        this.#helpers.add(
          `/** The value of a section: an item, or a list of items and other values. */\nexport type ${this.#section}<Item> = Item | ${listOf(`Item | ${SCALAR} | readonly unknown[] | null`)};\n`,
        );
        return `${this.#section}<${this.#object(key, alternative.fields)}>`;
      }
    }
  }

  #object(key: string, fields: ReadonlyMap<string, Field>): string {
    const name = this.#names.next(key);
    this.#open.push({ name, comment: "", fields });
    return name;
  }
}

function listOf(item: string): string {
  return /^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) && key !== "constructor" && key !== "__proto__"
    ? key
    : JSON.stringify(key).replace(
        HIDDEN,
        (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
      );
}

/** Invisible characters, such as those that change the text direction. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns a one-line comment. Nothing in the text can end it. */
function commentLine(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(HIDDEN, "").replaceAll("*/", "*\\/");
  return line === "" ? "" : `  /** ${line} */\n`;
}
