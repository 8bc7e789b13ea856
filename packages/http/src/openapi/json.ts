/** An object in a JSON Schema or in an OpenAPI document. */
export type Json = { [key: string]: unknown };
