import { Buffer } from "node:buffer";
import { cutDiagnostic, type Diagnostic } from "./errors.ts";

/** What a job tells, its errors and warnings together, takes no more bytes than this, as JSON. */
export const MAX_TOLD_BYTES = 65_536;

/** Of that, for the problem that counts the others. */
const MORE_BYTES = 256;

/**
 * The problems of one job, cut, and no more of them than take so many bytes as JSON. When not all do, errors come
 * first, and the last one is `more_problems`, whose `count` says how many more there are.
 */
export function boundedDiagnostics(
  diagnostics: readonly Diagnostic[],
  maxBytes = MAX_TOLD_BYTES,
): readonly Diagnostic[] {
  const cut = diagnostics.map(cutDiagnostic);
  const sizes = new Map(cut.map((each) => [each, bytesOf(each)]));
  let bytes = cut.reduce((sum, each) => sum + (sizes.get(each) ?? 0), 0);
  if (bytes <= maxBytes) return cut;
  const told = cut.toSorted((a, b) => rankOf(a) - rankOf(b));
  const rest: Diagnostic[] = [];
  for (
    let last = told.at(-1);
    last !== undefined && bytes > maxBytes - MORE_BYTES;
    last = told.at(-1)
  ) {
    bytes -= sizes.get(last) ?? 0;
    rest.push(last);
    told.pop();
  }
  return [...told, moreProblems(rest)];
}

/** How long problems are as JSON. */
export function toldBytes(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.reduce((sum, each) => sum + bytesOf(each), 0);
}

/** How long a problem is as JSON, in a list. */
function bytesOf(diagnostic: Diagnostic): number {
  return Buffer.byteLength(JSON.stringify(diagnostic)) + 1;
}

function rankOf({ severity }: Diagnostic): number {
  return severity === "error" ? 0 : 1;
}

/** Counts problems; those that were counted before are among them. */
function moreProblems(rest: readonly Diagnostic[]): Diagnostic {
  const numbers = rest.map(({ code, count = 1 }) => (code === MORE_PROBLEMS ? count : 1));
  const count = numbers.reduce((sum, each) => sum + each, 0);
  const message = `… and ${count.toLocaleString("en-US")} more, which are not listed: there is no room for them.`;
  const isError = rest.some(({ severity }) => severity === "error");
  return { severity: isError ? "error" : "warning", code: MORE_PROBLEMS, message, count };
}

const MORE_PROBLEMS = "more_problems";
