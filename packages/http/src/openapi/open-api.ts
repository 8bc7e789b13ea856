import { Components, type OpenApiLimits } from "./components.ts";
import type { ErrorDocs } from "./error-responses.ts";
import type { Json } from "./json.ts";
import type { Operation } from "./operation.ts";
import { operationObject } from "./operation-object.ts";

/** The parts of an OpenAPI document that do not come from its operations. */
export interface OpenApiOptions extends ErrorDocs {
  /** The address of the service for clients, without `/2.0`. */
  readonly url: string;
  /** The address of the documentation page. */
  readonly docsUrl: string;
  /** The description of the API, in Markdown. */
  readonly description: string;
  /** The descriptions of the tags of operations, by tag. */
  readonly tags: Readonly<Record<string, string>>;
  /** The limits, by name. An array whose schema names a limit with `maxItemsOf` gets the limit as its `maxItems`. */
  readonly limits: OpenApiLimits;
  /** How clients authenticate. This is the only security scheme, and every operation requires it. */
  readonly security: {
    /** The key of the scheme in `components.securitySchemes`. */
    readonly name: string;
    /** A Security Scheme Object. */
    readonly scheme: Json;
  };
}

/** Returns the OpenAPI 3.1 document for these operations. The same arguments give the same document. */
export function openApi(operations: readonly Operation[], options: OpenApiOptions): Json {
  const { url, docsUrl, description, tags, limits, security } = options;
  const components = new Components(limits);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    const docs = { ...options, security: security.name };
    item[operation.method.toLowerCase()] = operationObject(operation, components, docs);
    paths[operation.path] = item;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Quire",
      version: "2025.0",
      summary: "Document generation from Word templates and JSON.",
      description,
      contact: { name: "The operator of this service", url: docsUrl },
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "This document as a page.", url: docsUrl },
    servers: [{ url: `${url}/2.0`, description: "This service." }],
    security: [{ [security.name]: [] }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: { ...components.toJSON(), securitySchemes: { [security.name]: security.scheme } },
  };
}
