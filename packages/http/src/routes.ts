import type { Operation } from "./openapi/operation.ts";
import { Problem } from "./wire/problem.ts";

/** The base path of the operations. */
export const BASE = "/2.0";
/** The base path of uploads in the hosted service. */
export const UPLOAD_BASE = "/api/2.0";

/** Returns the allowed methods of each path of these operations. */
export function allowedMethods(operations: readonly Operation[]): Map<string, string[]> {
  const allowed = new Map<string, string[]>();
  for (const { method, path, upload } of operations) {
    for (const base of upload === null ? [BASE] : [BASE, UPLOAD_BASE]) {
      const methods = allowed.get(base + path) ?? [];
      allowed.set(base + path, [...methods, ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
    }
  }
  return allowed;
}

/** Returns the 405 for a path that supports only these methods. */
export function notAllowed(allowed: readonly string[]): Problem {
  return new Problem(
    405,
    "method_not_allowed",
    `This path supports only ${allowed.join(", ")}. Use one of these methods.`,
    {
      headers: { allow: allowed.join(", ") },
    },
  );
}

/** Returns the 404 for an unknown path. `docs` is the path that lists the operations. */
export function noSuchPath(docs: string): Problem {
  return new Problem(
    404,
    "not_found",
    `There is nothing at this path. See ${docs} for the list of operations.`,
  );
}

/** Converts the parameters in a path from `{name}` to the router's syntax, `:name`. */
export function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Returns the normalized prefix of all paths: either empty, or with a leading slash and no trailing slash. */
export function prefixOf(prefix = ""): string {
  const trimmed = prefix.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}
