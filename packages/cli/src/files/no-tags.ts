import type { Diagnostic } from "@quire/core";
import type { CompileFlags } from "../options/print.ts";
import type { LoadedTemplate } from "./template.ts";

/** Returns the warning for a template without tags; null for other templates. */
export function noTags(
  { template, isForm }: LoadedTemplate,
  { delimiters }: CompileFlags,
): Diagnostic | null {
  if (isForm || template.tagCount > 0) return null;
  const { start, end } = typeof delimiters === "object" ? delimiters : { start: "{{", end: "}}" };
  return {
    severity: "warning",
    code: "no_tags",
    message: "No tags found, so every document is a copy of the template.",
    hint: `Tags look like ${start}customer.name${end}.`,
  };
}
