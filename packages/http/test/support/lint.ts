import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Json } from "../../src/openapi/json.ts";

/**
 * Returns the problems that a linter finds in an OpenAPI document. The linter compiles code, so it runs in its own
 * process.
 */
export function lint(document: Json): string[] {
  const child = join(import.meta.dirname, "lint-child.ts");
  const told = execFileSync(process.execPath, [child], {
    input: JSON.stringify(document),
    encoding: "utf8",
  });
  return JSON.parse(told) as string[];
}
