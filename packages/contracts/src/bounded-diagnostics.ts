import { Buffer } from "node:buffer";
import { cutDiagnostic, type Diagnostic } from "./errors.ts";

/** Maximum size of the errors and warnings of a job, in bytes of JSON. */
export const MAX_DIAGNOSTIC_BYTES = 65_536;

/** Size reserved for `more_problems`, the problem that counts the omitted problems, in bytes. */
const MORE_BYTES = 256;

/**
 * Returns the problems of one job, each shortened, in at most `maxBytes` bytes of JSON. If they do not all fit, errors
 * come first, and the last problem is `more_problems`, whose `count` is the number of omitted problems.
 */
export function boundedDiagnostics(
  diagnostics: readonly Diagnostic[],
  maxBytes = MAX_DIAGNOSTIC_BYTES,
): readonly Diagnostic[] {
  const cut = diagnostics.map(cutDiagnostic);
  const sizes = new Map(cut.map((each) => [each, bytesOf(each)]));
  let bytes = cut.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0);
  if (bytes <= maxBytes) return cut;
  const kept = cut.toSorted((a, b) => rankOf(a) - rankOf(b));
  const rest: Diagnostic[] = [];
  for (
    let last = kept.at(-1);
    last !== undefined && bytes > maxBytes - MORE_BYTES;
    last = kept.at(-1)
  ) {
    bytes -= sizes.get(last) ?? 0;
    rest.push(last);
    kept.pop();
  }
  return [...kept, moreProblems(rest)];
}

/** Returns the size of problems as JSON, in bytes. */
export function diagnosticBytes(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.reduce((sum, each) => sum + bytesOf(each), 0);
}

/** Returns the size of a problem in a JSON list, including a comma, in bytes. */
function bytesOf(diagnostic: Diagnostic): number {
  return Buffer.byteLength(JSON.stringify(diagnostic)) + 1;
}

function rankOf({ severity }: Diagnostic): number {
  return severity === "error" ? 0 : 1;
}

/** Returns one problem that counts the rest, including the problems that an earlier `more_problems` counted. */
function moreProblems(rest: readonly Diagnostic[]): Diagnostic {
  const numbers = rest.map(({ code, count = 1 }) => (code === MORE_PROBLEMS ? count : 1));
  const count = numbers.reduce((sum, each) => sum + each, 0);
  const message = `… and ${count.toLocaleString("en-US")} more, which are not listed because the list is too long.`;
  const isError = rest.some(({ severity }) => severity === "error");
  return { severity: isError ? "error" : "warning", code: MORE_PROBLEMS, message, count };
}

const MORE_PROBLEMS = "more_problems";
