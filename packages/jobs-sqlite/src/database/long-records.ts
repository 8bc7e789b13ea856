import type { DatabaseSync } from "node:sqlite";
import {
  boundedDiagnostics,
  cutSentence,
  cutText,
  type Diagnostic,
  type JobFailure,
  type JobResult,
} from "@quire/contracts";

/** Records that are longer than this, in bytes, are shortened. Later releases only write shorter ones. */
const LONG = 131_072;
const MAX_CAUSE_LENGTH = 4_000;
const MAX_TEXTS = 3;

/**
 * The migration that shortens records from older releases. Those releases kept all problems of a document, sometimes
 * many megabytes, and every listing read them. Requires the functions that {@link addShortening} adds.
 */
export const SHORTER_RECORDS = `
  UPDATE job SET failure = shorter_failure(failure) WHERE octet_length(failure) > ${LONG};
  UPDATE job SET result = shorter_result(result) WHERE octet_length(result) > ${LONG};
  UPDATE job SET notes = shorter_notes(notes) WHERE octet_length(notes) > ${LONG};
  UPDATE delivery SET body = shorter_body(body) WHERE octet_length(body) > ${LONG};
`;

/** Adds the SQL functions that shorten the problems in records to the limits of new records. */
export function addShortening(sqlite: DatabaseSync): void {
  const add = <T>(name: string, shorter: (record: T) => unknown): void => {
    sqlite.function(name, { deterministic: true }, (text) =>
      JSON.stringify(shorter(JSON.parse(String(text)))),
    );
  };
  add("shorter_failure", shorterFailure);
  add("shorter_result", shorterResult);
  add("shorter_notes", (notes: readonly Problems[]) => notes.map(shorterResult));
  add("shorter_body", shorterBody);
}

function shorterFailure(failure: JobFailure): JobFailure {
  const { message, cause, diagnostics } = failure;
  return {
    ...failure,
    message: cutSentence(message),
    cause: cause && cutText(cause, MAX_CAUSE_LENGTH),
    diagnostics: boundedDiagnostics(diagnostics),
  };
}

/** The problems of a document or of a note. */
type Problems = Pick<JobResult, "errors" | "warnings">;

function shorterResult(result: Problems): Problems {
  const diagnostics = boundedDiagnostics([...result.errors, ...result.warnings]);
  const of = (severity: Diagnostic["severity"]): readonly Diagnostic[] =>
    diagnostics.filter((each) => each.severity === severity);
  return { ...result, errors: of("error"), warnings: of("warning") };
}

/** The relevant fields of a delivery's body. */
interface Body {
  readonly source?: {
    readonly failures?: {
      readonly errors: readonly string[];
      readonly warnings: readonly string[];
    } | null;
  };
}

function shorterBody(body: Body): Body {
  const failures = body.source?.failures ?? null;
  if (failures === null) return body;
  const shorter = (texts: readonly string[]): string[] => {
    const kept = texts.slice(0, MAX_TEXTS).map(cutSentence);
    const more = texts.length - kept.length;
    return more === 0 ? kept : [...kept, `… and ${more} more: the job has them.`];
  };
  const { errors, warnings } = failures;
  const shortened = { errors: shorter(errors), warnings: shorter(warnings) };
  return { ...body, source: { ...body.source, failures: shortened } };
}
