import {
  type Diagnostic,
  type Engine,
  isQuireError,
  type JsonSchema,
  QuireError,
  type TemplateTag,
} from "@quire/core/host";

/** The tags, schema and errors of a template version. */
export interface TemplateFacts {
  /** The tags in document order; empty if there are errors. */
  readonly tags: readonly TemplateTag[];
  /** The schema of the data that the template expects; `{}` if there are errors. */
  readonly schema: JsonSchema;
  /** The reasons why the template cannot be used; empty if it can be used. */
  readonly errors: readonly Diagnostic[];
}

/** Reads the tags, schemas and errors of templates. */
export interface TemplateReader {
  /** Starts reading a version in the background, if this saves time later. */
  begin(tenant: string, fileId: string, versionId: string): void;
  /**
   * Resolves with null if the result is not available soon; the caller may then try again later. If `versionId` is
   * null, reads the current version. Rejects `aborted` if the signal is aborted, and with errors that do not concern
   * the template.
   */
  facts(
    tenant: string,
    fileId: string,
    versionId: string | null,
    signal: AbortSignal,
  ): Promise<TemplateFacts | null>;
}

/**
 * Codes of errors that the template causes. Reading it again gives the same error. Includes limits that hostile
 * templates exceed.
 */
const DECIDED = new Set(["invalid_template", "limit_exceeded", "timeout", "render_failed"]);

/**
 * Reads a version of a template, or the current one if `version` is null. Errors that the template causes are part of
 * the result. Rejects with other errors of the engine, and `aborted` if the signal is aborted.
 */
export async function readTemplate(
  engine: Engine,
  {
    tenant,
    id,
    version,
  }: { readonly tenant: string; readonly id: string; readonly version: string | null },
  signal: AbortSignal,
): Promise<TemplateFacts> {
  try {
    const { tags, schema, errors } = await engine.inspectTemplate(
      { type: "file", id },
      { tenant, signal, ...(version === null ? {} : { version }) },
    );
    return { tags, schema, errors };
  } catch (error) {
    return factsOfError(error);
  }
}

/** Converts an error that the template causes into a result, because the error is permanent. Throws other errors. */
function factsOfError(error: unknown): TemplateFacts {
  if (!isQuireError(error) || !DECIDED.has(error.code)) throw error;
  const { code, message, diagnostics, retryable } = error;
  // The client's request is not too large: other requests have used up the limit.
  if (retryable) throw new QuireError("unavailable", message, { retryable, cause: error });
  const own: Diagnostic = { severity: "error", code, message };
  return { tags: [], schema: {}, errors: diagnostics.length > 0 ? diagnostics : [own] };
}

/** Creates a reader that reads a template for each request, without a cache. */
export function directReader(engine: Engine): TemplateReader {
  return {
    begin() {},
    facts: (tenant, id, version, signal) => readTemplate(engine, { tenant, id, version }, signal),
  };
}
