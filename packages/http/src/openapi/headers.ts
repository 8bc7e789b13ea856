import type { Components } from "./components.ts";
import type { Json } from "./json.ts";

/** Returns a header that the document defines once, as a map from its name to a reference. */
export function header(components: Components, name: string, definition: Json): Json {
  return { [name]: components.shared("headers", componentName(name), definition) };
}

/** Returns the header that every response has. */
export function requestId(components: Components): Json {
  return header(components, "x-request-id", {
    description: "The id of this request in the log of the service.",
    required: true,
    schema: {
      type: "string",
      format: "uuid",
      examples: ["0a7c2f5e-6c0e-4a53-9d0b-3a0c6c0b8f11"],
    },
  });
}

/** Returns the name of a component, such as `IfMatch` for `if-match`. */
export function componentName(name: string): string {
  return name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
