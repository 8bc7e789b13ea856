import type { Diagnostic } from "../errors.ts";

/** Options of {@link Converter.convert}. */
export interface ConvertOptions {
  /** Ends the conversion and rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/** A PDF that was checked: it parses and has at least one page. */
export interface ConvertedDocument {
  readonly bytes: Uint8Array;
  /** The number of pages, at least 1. */
  readonly pages: number;
  readonly warnings: readonly Diagnostic[];
}

/** Turns documents that Quire wrote into PDF. `conformance/converter.ts` is this contract as tests. */
export interface Converter {
  /**
   * Converts one docx. May be called any number of times at once: what exceeds the converter's lanes
   * waits in order.
   * Rejects `conversion_failed` when there is no PDF that stands up to checking, also for bytes that
   * are no docx; `timeout` when the document took longer than the converter allows; `unavailable`
   * when the converter cannot run at all or is closed; `aborted` for the signal.
   * A failed conversion never harms another one.
   */
  convert(document: Uint8Array, options?: ConvertOptions): Promise<ConvertedDocument>;

  /**
   * Refuses new conversions, waits for the running ones and ends every process of its own.
   * Closing twice is not an error. The engine that was given a converter closes it.
   */
  close(): Promise<void>;
}
