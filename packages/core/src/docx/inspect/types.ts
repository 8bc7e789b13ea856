import { QuireError } from "../../errors.ts";
import { describeField } from "./describe.ts";
import { Names } from "./names.ts";
import type { DataShape, Field, Form, ValueType } from "./shape.ts";

/**
 * TypeScript types of the data that a template wants, as the source of a module or declaration file: the
 * type of the given name, and one for each object in it. They are type aliases, because the data that
 * `render` takes may have any keys, to which no interface is assignable. Throws `invalid_request` for a name
 * that is not of letters, digits and underscores with a capital letter first.
 */
export function typesOf(shape: DataShape, name = "TemplateData"): string {
  if (!/^(?!Date$)[A-Z]\w{0,99}$/.test(name)) {
    throw new QuireError(
      "invalid_request",
      `The name ${JSON.stringify(name)} cannot be that of the types: write letters, digits and underscores, with a capital letter first, such as TemplateData.`,
    );
  }
  return new TypeWriter(name).write(shape);
}

const VALUES: Readonly<Record<ValueType, string>> = {
  scalar: "string | number | boolean",
  text: "string",
  number: "number | string",
  "text or number": "string | number",
  date: "string | Date",
  image:
    'string | { readonly type: "file"; readonly id: string } | { readonly type: "url"; readonly url: string }',
};

/** An object whose type is still to be written. */
interface Declaration {
  readonly name: string;
  readonly comment: string;
  readonly fields: ReadonlyMap<string, Field>;
}

class TypeWriter {
  readonly #name: string;
  readonly #names: Names;
  readonly #open: Declaration[] = [];

  constructor(name: string) {
    this.#name = name;
    this.#names = new Names(name);
  }

  write({ fields }: DataShape): string {
    this.#open.push({ name: this.#name, comment: "The data that the template wants.", fields });
    const written: string[] = [];
    for (const declaration of this.#open) written.push(this.#declaration(declaration));
    return written.join("\n");
  }

  #declaration({ name, comment, fields }: Declaration): string {
    const lines = [...fields].map(([key, field]) => {
      const type = this.#form(key, field.form);
      const nullable = field.required || type === "unknown" ? type : `${type} | null`;
      const mark = field.required ? "" : "?";
      return `${commentLine(describeField(field))}  readonly ${keyText(key)}${mark}: ${nullable};\n`;
    });
    const head = comment === "" ? "" : `/** ${comment} */\n`;
    // Without keys, any object will do, and nothing else.
    if (lines.length === 0)
      return `${head}export type ${name} = Readonly<Record<string, unknown>>;\n`;
    return `${head}export type ${name} = {\n${lines.join("")}};\n`;
  }

  #form(key: string, form: Form): string {
    switch (form.kind) {
      case "anything":
        return "unknown";
      case "object": {
        const name = this.#names.next(key);
        this.#open.push({ name, comment: "", fields: form.fields });
        return name;
      }
      case "list":
        return listOf(this.#form(key, form.item));
      case "section": {
        const item = this.#form(key, form.item);
        return item === "unknown" ? item : `${listOf(item)} | ${item} | boolean`;
      }
      case "value": {
        const one = VALUES[form.type];
        if (form.many === null) return one;
        return `${one} | ${listOf(form.many === "anything" ? "unknown" : VALUES[form.many])}`;
      }
    }
  }
}

function listOf(item: string): string {
  return /^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) && key !== "constructor" && key !== "__proto__"
    ? key
    : JSON.stringify(key);
}

/** A comment of one line, which nothing in it can end. */
function commentLine(text: string): string {
  const line = text.replace(/\s+/g, " ").replaceAll("*/", "*\\/");
  return line === "" ? "" : `  /** ${line} */\n`;
}
