import type { Json } from "@quire/http/parts";
import { type Html, html, prose } from "./html.ts";

/** Returns the section of a named schema: its properties, or its type. */
export function schemaSection(name: string, schema: Json): Html {
  const { properties, description, examples } = schema;
  return html`<section class="schema" id="${schemaAnchor(name)}">
<h3><a href="#${schemaAnchor(name)}">${name}</a></h3>
${description === undefined ? null : html`<p>${prose(String(description))}</p>\n`}${
  properties === undefined
    ? html`<p class="type">${typeOf({ ...schema, examples })}</p>\n`
    : fieldTable(schema)
}</section>
`;
}

/** Returns the type of a value in words, with links to named schemas. */
export function typeOf(schema: Json): Html {
  const { $ref, anyOf, oneOf, items, type } = schema;
  if (typeof $ref === "string") {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  }
  const either = (anyOf ?? oneOf) as Json[] | undefined;
  if (either !== undefined) return joined(either.map(typeOf), " or ");
  if ("const" in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum)) {
    return joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      " or ",
    );
  }
  if (type === "array") return html`list of ${typeOf(items as Json)}${boundsOf(schema)}`;
  if (typeof schema.format === "string" && type === "string") return html`${schema.format}`;
  return html`${type === undefined ? "anything" : String(type)}${boundsOf(schema)}`;
}

function fieldTable({ properties, required = [], additionalProperties }: Json): Html {
  const needed = required as string[];
  const rows = Object.entries(properties as Record<string, Json>).map(
    ([name, field]) => html`<tr>
<th scope="row"><code>${name}</code>${needed.includes(name) ? null : html` <small>optional</small>`}</th>
<td>${typeOf(field)}</td>
<td>${prose(String(field.description ?? ""))}${defaultOf(field)}</td>
</tr>
`,
  );
  if (rows.length === 0) return html`<p class="type">object with any fields</p>\n`;
  const isOpen = typeof additionalProperties === "object";
  return html`<table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">About</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
${isOpen ? html`<p class="type">and any further fields</p>\n` : null}`;
}

/** Returns the default value as HTML; null if the schema has none. */
export function defaultOf(schema: Json): Html | null {
  if (!("default" in schema)) return null;
  return html` Default <code>${JSON.stringify(schema.default)}</code>.`;
}

function boundsOf(schema: Json): Html | null {
  const { minimum, maximum, maxLength, minItems, maxItems } = schema as Record<string, number>;
  const bounds = [
    minimum === undefined || minimum < -1e9 ? null : `from ${minimum}`,
    maximum === undefined || maximum > 1e9 ? null : `to ${maximum}`,
    maxLength === undefined ? null : `at most ${maxLength} characters`,
    minItems === undefined ? null : `at least ${minItems}`,
    maxItems === undefined ? null : `at most ${maxItems}`,
  ].filter((bound) => bound !== null);
  return bounds.length === 0 ? null : html` <small>${bounds.join(", ")}</small>`;
}

function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`;
}
