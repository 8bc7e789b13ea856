import type { RenderOptions, Template } from "@quire/core";
import { isQuireError } from "@quire/core/host";
import type { PrintFlags } from "../options/print.ts";

/** Converts the flags to options for rendering. */
export function renderOptions({
  onMissing,
  richText,
  locale,
  timeZone,
  now,
}: PrintFlags): RenderOptions {
  return { onMissing, richText, locale, timeZone, now: now ?? new Date() };
}

/**
 * Throws `invalid_request` for an invalid locale or time zone before the first entry is read. Otherwise, rendering
 * would throw the same error for each entry.
 */
export function assertPrintable(template: Template, options: RenderOptions): void {
  try {
    template.check({}, options);
  } catch (error) {
    if (!isQuireError(error) || error.code === "invalid_request") throw error;
  }
}
