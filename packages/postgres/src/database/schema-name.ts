import { QuireError } from "@quire/contracts";

/** Replaces the schema `quire` in a statement. */
export function inSchema(sql: string, schema: string): string {
  return schema === "quire" ? sql : sql.replaceAll(/\bquire\./g, `${schema}.`);
}

/** Returns the schema. Throws `invalid_request` if it would have to be quoted. */
export function checkSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,50}$/.test(schema) && !schema.startsWith("pg_")) return schema;
  throw new QuireError(
    "invalid_request",
    `The schema ${JSON.stringify(schema)} must consist of lower-case letters, digits and "_", begin with a letter, and not begin with "pg_".`,
  );
}
