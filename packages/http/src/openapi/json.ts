/** A piece of JSON Schema, or of an OpenAPI document. */
export type Json = { [key: string]: unknown };
