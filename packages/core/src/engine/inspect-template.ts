import {
  boundedDiagnostics,
  type FileInfo,
  type FileRef,
  isQuireError,
  type Storage,
  throwIfAborted,
} from "@quire/contracts";
import type { OpenTemplate, Renderer } from "@quire/render-pool/internal/protocol/renderer";
import { errorsOf } from "../batch/job.ts";
import { sameVersion, templateReader } from "./batch-source.ts";
import type { InspectTemplateOptions, TemplateInspection } from "./engine-types.ts";

/** The environment of an inspection. */
export interface InspectContext {
  readonly tenant: string;
  /** The tenant's storage. */
  readonly storage: Storage;
  readonly renderer: Renderer;
  readonly signal: AbortSignal;
}

/** Reads a template with the templates it includes, and describes the data that it expects, or returns its errors. */
export async function inspectTemplate(
  context: InspectContext,
  file: FileRef,
  options: Pick<InspectTemplateOptions, "version" | "delimiters">,
): Promise<TemplateInspection> {
  const { signal } = context;
  throwIfAborted(signal);
  const { info, template } = await open(context, file, options);
  try {
    const { tags, schema, warnings } = await template.inspect({ signal });
    return { file: info, tags, schema, errors: [], warnings: boundedDiagnostics(warnings) };
  } catch (error) {
    if (!isQuireError(error) || error.code !== "invalid_template") throw error;
    const errors = boundedDiagnostics(errorsOf(error));
    return { file: info, tags: [], schema: {}, errors, warnings: [] };
  }
}

/**
 * Reads and opens the template. A separate function, so that the caller does not keep the bytes in memory: an
 * inspection may wait for a long time.
 */
async function open(
  { tenant, storage, renderer, signal }: InspectContext,
  file: FileRef,
  { version, delimiters }: Pick<InspectTemplateOptions, "version" | "delimiters">,
): Promise<{ readonly info: FileInfo; readonly template: OpenTemplate }> {
  const asked = version === undefined ? {} : { version };
  const { bytes, ...stored } = await storage.read(file, { ...asked, signal });
  const info = { ref: stored.ref, version: stored.version, name: stored.name, size: stored.size };
  const readTemplate = templateReader(storage);
  const readAgain = sameVersion(storage, stored);
  return { info, template: renderer.open(bytes, { tenant, delimiters, readTemplate, readAgain }) };
}
