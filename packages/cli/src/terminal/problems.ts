import { type Diagnostic, isQuireError } from "@quire/core";

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
}

function isPlaced({ template, hint }: Diagnostic): boolean {
  return template !== undefined || hint !== undefined;
}

/** A diagnostic in one line: what, where, and how to fix it. */
export function describe({ message, hint, template, pointer }: Diagnostic): string {
  const place: string[] = [];
  if (template !== undefined && template.part !== "text") {
    place.push(`${template.part}, paragraph ${template.paragraph ?? "?"}`);
    if (template.near !== undefined) place.push(`in “${template.near}”`);
  }
  // A file name has its own place in what is printed; no pointer leads to it in the user's data.
  if (pointer && pointer !== "/generated_file_name") place.push(`data at ${pointer}`);
  const where = place.length > 0 ? ` [${place.join(", ")}]` : "";
  return `${message}${where}${hint === undefined ? "" : ` ${hint}`}`;
}
