import type { TagOrigin } from "../../../program/tag-ops.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { resolve } from "../context/scope.ts";

/** Warns about texts in quotes that are paths of the data, as in `default("customer.mobile")`. */
export function noteQuotedPaths(
  origin: TagOrigin,
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  for (const text of origin.quoted ?? []) {
    const [head = "", ...rest] = text.split(".");
    const value = resolve({ kind: "path", source: text, head, rest }, env);
    if (value === undefined || typeof value === "object") continue;
    const message = `In the tag ${origin.text}, "${text}" is text, not the value with this name.`;
    diagnostics.warn(origin, "quoted_name", message, undefined, () => {
      return `For a value of the data write its name without quotes: ${text}.`;
    });
  }
}
