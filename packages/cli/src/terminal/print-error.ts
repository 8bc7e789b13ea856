import { Console } from "node:console";
import {
  type Diagnostic,
  type ErrorCode,
  isQuireError,
  placeInWords,
  placesInData,
  type QuireError,
} from "@quire/core/host";
import { cliWords } from "./cli-words.ts";
import { type Io, writeLine } from "./io.ts";

/** Failures of the machine or of programs. Their causes are printed; other causes may quote the data. */
const PRINTED_CAUSES: ReadonlySet<ErrorCode> = new Set([
  "conversion_failed",
  "timeout",
  "storage_failed",
  "unavailable",
  "internal",
]);
const MAX_CAUSE_LENGTH = 500;

/** Prints an error with all its diagnostics to standard error, and for a bug also the stack. */
export function printError(io: Io, error: unknown): void {
  if (isFromSystem(error)) {
    writeLine(io.stderr, `quire: The system reported an error: ${oneLine(error.message)}.`);
    writeLine(
      io.stderr,
      "  Check the disk, the folder and the limits of this user, then run the command again.",
    );
    return;
  }
  if (!isQuireError(error)) {
    writeLine(io.stderr, "quire: this is a bug in Quire.");
    new Console({ stdout: io.stderr }).log(error);
    return;
  }
  writeLine(io.stderr, `quire: ${oneLine(cliWords(error.message))}`);
  if (error.diagnostics.length > 1 || error.diagnostics.some(isPlaced)) {
    for (const diagnostic of error.diagnostics) writeLine(io.stderr, `  ${describe(diagnostic)}`);
  }
  const cause = describeCause(error);
  if (cause !== null) writeLine(io.stderr, `  ${cause}`);
}

/** Whether an error comes from the operating system, such as a full disk or too many open files. */
function isFromSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "errno" in error;
}

/**
 * Returns the message of a converter, a storage or the system about a failure, in one line; null if there is no message
 * or if the message may quote the data.
 */
export function describeCause(error: QuireError | null): string | null {
  if (error === null || !PRINTED_CAUSES.has(error.code)) return null;
  let { cause } = error;
  while (isQuireError(cause) && cause.cause !== undefined) cause = cause.cause;
  const message = cause instanceof Error ? cause.message : "";
  const line = oneLine(message).replace(/ +/g, " ");
  return line === "" ? null : `Cause: ${line.slice(0, MAX_CAUSE_LENGTH)}`;
}

function isPlaced({ template, hint }: Diagnostic): boolean {
  return template !== undefined || hint !== undefined;
}

/** Describes a diagnostic in one line: the problem, its place and how to fix it. */
export function describe(diagnostic: Diagnostic): string {
  const message = cliWords(diagnostic.message);
  const hint = diagnostic.hint === undefined ? undefined : cliWords(diagnostic.hint);
  const place = [placeOf(diagnostic)];
  if (pointerOf(diagnostic) !== null) place.push(placesInData(diagnostic));
  const where = place.filter((each) => each !== "").join(", ");
  return oneLine(`${message}${where && ` [${where}]`}${hint === undefined ? "" : ` ${hint}`}`);
}

/**
 * Describes the place of a problem in the template, for its author and with the text around it. Empty if the problem
 * has no place in a template.
 */
export function placeOf(diagnostic: Diagnostic): string {
  const { template, message } = diagnostic;
  if (template === undefined || template.part === "text") return "";
  const place = [placeInWords(diagnostic)];
  const { near, tag } = template;
  // A field may be alone in its paragraph and show no text.
  if (near !== undefined && near !== "" && near !== tag) {
    const which = tag !== undefined && !message.includes(tag) && isOneOfSeveral(tag, near);
    place.push(which ? `at “${tag}” in “${near}”` : `in “${near}”`);
  } else if (tag !== undefined && !message.includes(tag)) place.push(`in “${tag}”`);
  return oneLine(place.join(", "));
}

/** Whether the text contains other tags, or this tag more than once. */
function isOneOfSeveral(tag: string, near: string): boolean {
  const delimiter = tag.startsWith("{{") ? "{{" : tag.slice(0, 1);
  return near.replace(tag, "").includes(delimiter);
}

/**
 * Returns the pointer of a diagnostic into the data; null without a pointer, and for a file name, which is printed
 * separately.
 */
export function pointerOf({ pointer }: Diagnostic): string | null {
  return pointer && pointer !== "/generated_file_name" ? oneLine(pointer) : null;
}

/**
 * Makes text safe to print on a terminal. Names in templates and data may contain control characters, which a terminal
 * interprets, and characters that change the direction of text.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim();
}
