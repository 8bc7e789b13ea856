import { OPERATIONS } from "./operations/all.ts";
import { Problem } from "./wire/problem.ts";

/** Where the operations are. */
export const BASE = "/2.0";
/** Where the hosted service has its uploads. */
export const UPLOAD_BASE = "/api/2.0";

/** The allowed methods of each path. */
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

/** The prefix of all paths, normalized: empty, or with a leading slash and no trailing one. */
export function prefixOf(prefix = ""): string {
  const trimmed = prefix.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}
