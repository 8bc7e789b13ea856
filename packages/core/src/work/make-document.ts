import { hash } from "node:crypto";
import type { Room } from "../batch/room.ts";
import { type Diagnostic, QuireError, throwIfAborted } from "../errors.ts";
import { formDocument } from "../pdf/form-document.ts";
import type { Converter, ConverterFingerprint } from "../ports/converter.ts";
import type { JobInput, OutputNote } from "../ports/job-records.ts";
import type { Storage } from "../ports/storage.ts";
import { decodeData } from "../renderer/document-data.ts";
import type { RenderedDocument } from "../renderer/renderer.ts";
import type { BatchSource } from "./batch-source.ts";

/** With what documents are made. */
export interface Workshop {
  readonly storage: Storage;
  /** Null when the engine has none; then no batch asks for PDF, but of a PDF form. */
  readonly converter: Converter | null;
  /** The bytes of documents that are rendered and not yet stored, of all batches. */
  readonly rendered: Room;
}

/** A document that is made and not stored. */
export interface MadeDocument {
  readonly bytes: Uint8Array;
  readonly note: Omit<OutputNote, "name">;
}

/**
 * Makes one document, render → convert, and has `store` put it away. The way of every document, whatever
 * asked for it.
 */
export async function makeDocument<T>(
  workshop: Workshop,
  source: BatchSource,
  input: JobInput,
  signal: AbortSignal,
  store: (document: MadeDocument) => Promise<T>,
): Promise<T> {
  const rendered = await render(workshop, source, input, signal);
  try {
    const converted = await convert(workshop, source, rendered, signal);
    const all = [...rendered.warnings, ...converted.warnings];
    const errors = all.filter(({ severity }) => severity === "error");
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
        warnings: all.filter(({ severity }) => severity === "warning"),
      },
    });
  } finally {
    workshop.rendered.give(rendered.bytes.length);
  }
}

/**
 * Renders the document of an entry when there is room for it. What it takes is known only afterwards:
 * until then it is taken for as long as those of its batch before. The caller gives the room back.
 */
async function render(
  { storage, rendered }: Workshop,
  source: BatchSource,
  input: JobInput,
  signal: AbortSignal,
): Promise<RenderedDocument> {
  const { settings } = source;
  const expected = source.expectedBytes;
  await rendered.take(expected);
  let length = 0;
  try {
    throwIfAborted(signal);
    const data = input.encoding === "json" ? input.bytes : decodeData(input);
    const result = await source.template.render(data, {
      onMissing: settings.on_missing,
      locale: input.locale ?? settings.locale,
      timeZone: input.timeZone ?? settings.time_zone,
      compression: settings.compression,
      flatten: settings.flatten,
      readFile: async (id) => (await storage.read({ type: "file", id }, { signal })).bytes,
      signal,
    });
    length = result.bytes.length;
    return result;
  } finally {
    const mean = Math.ceil((source.expectedBytes + length) / 2);
    source.expectedBytes = Math.max(length, mean);
    rendered.give(expected - length);
  }
}

async function convert(
  { converter }: Workshop,
  { batch, pdf }: BatchSource,
  { bytes, pages }: RenderedDocument,
  signal: AbortSignal,
): Promise<{
  readonly bytes: Uint8Array;
  readonly pages: number | null;
  readonly warnings: readonly Diagnostic[];
  readonly fingerprint: ConverterFingerprint | null;
}> {
  if (pages !== undefined) {
    const form = await formDocument(bytes, batch.outputType, pdf);
    return { bytes: form, pages, warnings: [], fingerprint: null };
  }
  if (batch.outputType === "docx") return { bytes, pages: null, warnings: [], fingerprint: null };
  if (converter === null) {
    throw new QuireError("unavailable", "The engine has no converter, so it cannot make PDF.");
  }
  // Documents of a group are of one template, batch and tenant.
  const of = { group: batch.id, tenant: batch.tenant };
  return converter.convert(bytes, { ...of, pdf, rendered: true, signal });
}
