import { AsyncResource } from "node:async_hooks";
import { hash } from "node:crypto";
import {
  boundedDiagnostics,
  type Converter,
  type ConverterFingerprint,
  type Diagnostic,
  diagnosticBytes,
  type JobInput,
  MAX_DIAGNOSTIC_BYTES,
  type Occupant,
  type OutputNote,
  type PdfOptions,
  QuireError,
  type Storage,
  throwIfAborted,
} from "@quire/contracts";
import type { RenderData } from "@quire/docx/internal/render/evaluate/context/scope";
import { assertFormOptions } from "@quire/pdf/internal/form/form-options";
import { decodeData } from "@quire/render-pool/internal/protocol/document-data";
import type {
  DocumentOptions,
  RenderedDocument,
} from "@quire/render-pool/internal/protocol/renderer";
import type { BatchSource, StorageOf } from "./batch-source.ts";
import type { EngineOptions } from "./engine-types.ts";
import type { Attempt } from "./long-jobs.ts";
import type { RunStep, StepObserver } from "./observe-step.ts";
import { MAX_RENDERED_BYTES, RenderedRoom } from "./rendered-room.ts";
import { ReportBudget } from "./report-budget.ts";

/** Dependencies shared by all jobs. */
export interface JobContext {
  readonly storageOf: StorageOf;
  /** Null if the engine has no converter. Batches can then request PDF only if their template is a PDF form. */
  readonly converter: Converter | null;
  readonly rendered: RenderedRoom;
  readonly observe: StepObserver | null;
  /** Limits the problems that jobs report. */
  readonly reportBudget: ReportBudget;
}

/** Creates the dependencies that all jobs of an engine share. */
export function createJobContext(
  storageOf: StorageOf,
  { converter, observe }: Pick<EngineOptions, "converter" | "observe">,
): JobContext {
  return {
    storageOf,
    converter: converter ?? null,
    rendered: new RenderedRoom(MAX_RENDERED_BYTES),
    observe: observe ?? null,
    reportBudget: new ReportBudget(),
  };
}

/** A document to generate. */
export interface DocumentOrder {
  readonly source: BatchSource;
  readonly input: JobInput;
  readonly step: RunStep;
  readonly signal: AbortSignal;
  readonly attempt: Attempt;
  /** For a suspect: records whether the document is being made, see `JobWorker.setBegun`. Null for other jobs. */
  readonly setBegun: ((begun: boolean) => Promise<void>) | null;
}

/** A document that has been generated but not stored. */
export interface MadeDocument {
  readonly bytes: Uint8Array;
  readonly note: Omit<OutputNote, "name">;
}

/** Generates one document (render → convert) and stores it with `store`. All documents are generated here. */
export async function makeDocument<T>(
  jobContext: JobContext,
  order: DocumentOrder,
  store: (document: MadeDocument) => Promise<T>,
): Promise<T> {
  const rendered = await recorded(order, (onBegin) => render(jobContext, order, onBegin));
  try {
    const converted = await recorded(order, (onBegin) =>
      convert(jobContext, order, rendered, onBegin),
    );
    const { reportBudget } = jobContext;
    const { batch, pdf } = order.source;
    const diagnostics = [...rendered.warnings, ...converted.warnings];
    const { errors, warnings } = bySeverity(diagnostics, pdf, reportBudget.maxBytes(batch.tenant));
    reportBudget.take(batch.tenant, diagnosticBytes(errors) + diagnosticBytes(warnings));
    const { bytes } = converted;
    return await store({
      bytes,
      note: {
        status: errors.length > 0 ? "completed_with_error" : "completed",
        size: bytes.length,
        sha256: hash("sha256", bytes),
        pages: converted.pages,
        converter: converted.fingerprint,
        errors,
        warnings,
      },
    });
  } finally {
    jobContext.rendered.release(occupantOf(order.source), rendered.bytes.length);
  }
}

/** Calls `make`, and records for a suspect when it begins and when it has ended. */
async function recorded<T>(
  { setBegun }: DocumentOrder,
  make: (onBegin: (() => Promise<void>) | undefined) => Promise<T>,
): Promise<T> {
  if (setBegun === null) return make(undefined);
  const made = await make(() => setBegun(true));
  await setBegun(false);
  return made;
}

/** Renders the document of an entry when there is room for it. The caller releases the room. */
async function render(
  { rendered, observe }: JobContext,
  { source, input, step, signal, attempt: { preemptible, mayBegin } }: DocumentOrder,
  onBegin: (() => Promise<void>) | undefined,
): Promise<RenderedDocument> {
  const { settings, storage, template } = source;
  const occupant = occupantOf(source);
  for (;;) {
    const place = await rendered.enter(occupant, source);
    let result: RenderedDocument | null = null;
    try {
      throwIfAborted(signal);
      result = await step("render", async () => {
        const at = { settings, now: new Date(source.batch.createdAt) };
        const { readFile, ...options } = documentOptions(at, input, storage, signal);
        return template.render(documentData(input), {
          ...options,
          preemptible,
          mayBegin: () => place.mayBegin() && mayBegin(),
          onBegin,
          // The renderer's process triggers this callback, outside the context that the observer has set up.
          readFile: observe === null ? readFile : AsyncResource.bind(readFile),
        });
      });
      return result;
    } catch (error) {
      if (!place.isRefused) throw error;
    } finally {
      place.leave(result?.bytes.length ?? 0);
    }
  }
}

function occupantOf({ batch }: BatchSource): Occupant {
  return { tenant: batch.tenant, flow: batch.id };
}

/**
 * Returns the render options for a document in a batch. `now`: the time at which the batch was accepted, which counts
 * if the request sets no date. A document does not depend on when it is made. Images are read from the tenant's storage.
 */
export function documentOptions(
  { settings, now }: { readonly settings: BatchSource["settings"]; readonly now: Date },
  { locale, timeZone }: JobInput,
  storage: Storage,
  signal: AbortSignal,
): DocumentOptions & { readonly readFile: NonNullable<DocumentOptions["readFile"]> } {
  return {
    onMissing: settings.on_missing,
    richText: settings.rich_text,
    locale: locale ?? settings.locale,
    timeZone: timeZone ?? settings.time_zone,
    now: settings.now ?? now,
    compression: settings.compression,
    flatten: settings.flatten,
    metadata: settings.pdf?.metadata,
    readFile: async (id) => (await storage.read({ type: "file", id }, { signal })).bytes,
    signal,
  };
}

/** Returns the data of a document in the form that renderers accept. */
export function documentData(input: JobInput): RenderData | Uint8Array {
  return input.encoding === "json" ? input.bytes : decodeData(input);
}

/**
 * Splits the diagnostics of a document into errors and warnings, at most `maxBytes` bytes of JSON in total. Omits
 * warnings about stale indexes if the conversion to PDF updates the indexes.
 */
export function bySeverity(
  all: readonly Diagnostic[],
  pdf: PdfOptions | undefined,
  maxBytes = MAX_DIAGNOSTIC_BYTES,
): Record<"errors" | "warnings", readonly Diagnostic[]> {
  const isReported = ({ code }: Diagnostic): boolean =>
    code !== "stale_index" || pdf?.updateIndexes !== true;
  const diagnostics = boundedDiagnostics(all.filter(isReported), maxBytes);
  return {
    errors: diagnostics.filter(({ severity }) => severity === "error"),
    warnings: diagnostics.filter(({ severity }) => severity === "warning"),
  };
}

async function convert(
  { converter }: JobContext,
  { source: { batch, pdf }, step, signal, attempt: { preemptible } }: DocumentOrder,
  { bytes, pages }: RenderedDocument,
  onBegin: (() => Promise<void>) | undefined,
): Promise<{
  readonly bytes: Uint8Array;
  readonly pages: number | null;
  readonly warnings: readonly Diagnostic[];
  readonly fingerprint: ConverterFingerprint | null;
}> {
  if (pages !== undefined) {
    assertFormOptions(batch.outputType, pdf);
    return { bytes, pages, warnings: [], fingerprint: null };
  }
  if (batch.outputType === "docx") return { bytes, pages: null, warnings: [], fingerprint: null };
  if (converter === null) {
    throw new QuireError("unavailable", "The engine has no converter, so it cannot make PDFs.");
  }
  // A group contains documents of one template, batch and tenant.
  const of = { group: batch.id, tenant: batch.tenant, weight: batch.weight };
  return step("convert", () =>
    converter.convert(bytes, { ...of, pdf, rendered: true, preemptible, onBegin, signal }),
  );
}
