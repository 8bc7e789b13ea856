import { OPERATIONS } from "./operations/all.ts";
import { Problem } from "./wire/problem.ts";

/** Where the operations stand. */
export const BASE = "/2.0";
/** Where the hosted service has its uploads. */
export const UPLOAD_BASE = "/api/2.0";

/** Of each path, what may be done with it. */
export function allowedMethods(): Map<string, string[]> {
  const allowed = new Map<string, string[]>();
  for (const { method, path, upload } of OPERATIONS) {
    for (const base of upload === null ? [BASE] : [BASE, UPLOAD_BASE]) {
      const methods = allowed.get(base + path) ?? [];
      allowed.set(base + path, [...methods, ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
    }
  }
  return allowed;
}

/** The 405 of a path that takes these methods only. */
export function notAllowed(allowed: readonly string[]): Problem {
  return new Problem(405, "method_not_allowed", `This path takes ${allowed.join(", ")} only.`, {
    headers: { allow: allowed.join(", ") },
  });
}

/** The 404 of a path with nothing at it. */
export function noSuchPath(): Problem {
  return new Problem(
    404,
    "not_found",
    "There is nothing at this path. The operations are listed at /docs.",
  );
}

/** A path with `{name}` as the router has it. */
export function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** What comes before all paths, from how it was given: empty, or with a slash before it and none behind. */
export function prefixOf(prefix = ""): string {
  const trimmed = prefix.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}
