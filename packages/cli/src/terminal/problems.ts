import { type Diagnostic, type ErrorCode, isQuireError, type QuireError } from "@quire/core";

/** Failures of machine and programs. The cause of any other may quote the data. */
const CAUSE_IS_TOLD: ReadonlySet<ErrorCode> = new Set([
  "conversion_failed",
  "timeout",
  "storage_failed",
  "unavailable",
  "internal",
]);
const MAX_CAUSE_LENGTH = 500;

/** Prints an error with all its diagnostics to standard error; a bug also with its stack. */
export function printError(error: unknown): void {
  if (!isQuireError(error)) {
    console.error("quire: this is a bug in Quire.");
    console.error(error);
    return;
  }
  console.error(`quire: ${error.message}`);
  if (error.diagnostics.length > 1 || error.diagnostics.some(isPlaced)) {
    for (const diagnostic of error.diagnostics) console.error(`  ${describe(diagnostic)}`);
  }
  const cause = describeCause(error);
  if (cause !== null) console.error(`  ${cause}`);
}

/**
 * What a converter, a storage or the system said of a failure, in one line; null where nothing was said
 * or where it may quote the data.
 */
export function describeCause(error: QuireError | null): string | null {
  if (error === null || !CAUSE_IS_TOLD.has(error.code)) return null;
  let { cause } = error;
  while (isQuireError(cause) && cause.cause !== undefined) cause = cause.cause;
  const message = cause instanceof Error ? cause.message : "";
  const line = message.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line === "" ? null : `Cause: ${line.slice(0, MAX_CAUSE_LENGTH)}`;
}

function isPlaced({ template, hint }: Diagnostic): boolean {
  return template !== undefined || hint !== undefined;
}

/** A diagnostic in one line: what, where, and how to fix it. */
export function describe({ message, hint, template, pointer }: Diagnostic): string {
  const place: string[] = [];
  if (template !== undefined && template.part !== "text") {
    const { part, paragraph, tag, near } = template;
    place.push(`${part}, paragraph ${paragraph ?? "?"}`);
    if (near !== undefined) place.push(`in “${near}”`);
    if (tag !== undefined && near?.includes(tag) === false) place.push(tag);
  }
  // A file name has its own place in what is printed; no pointer leads to it in the user's data.
  if (pointer && pointer !== "/generated_file_name") place.push(`data at ${pointer}`);
  const where = place.length > 0 ? ` [${place.join(", ")}]` : "";
  return `${message}${where}${hint === undefined ? "" : ` ${hint}`}`;
}
