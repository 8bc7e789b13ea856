import { checkOptions, QuireError } from "@quire/contracts";
import type { Merger } from "./packet-merge.ts";
import type {
  Packet,
  PacketEntry,
  PacketOptions,
  PacketPages,
  PacketSummary,
} from "./packet-types.ts";

const MOST_BYTES = 9_999_999_999;

/**
 * Merges PDFs into one as they arrive, each with a bookmark. `write` receives the bytes of the packet in order, about
 * 256 KB at a time, and is awaited. Equal sources and entries give equal bytes.
 *
 * Keeps pages with their inherited attributes, links within a source, the source's bookmarks (below its bookmark in the
 * packet), layers, and form fields (their names get a prefix: `total` of the third source becomes `e3.total`). Does not
 * keep, and reports in the summary: tags for screen readers, PDF/A, attachments, signatures, XFA forms, page labels,
 * and actions that run a program or a script, send data or play media.
 */
export function createPacket(
  write: (bytes: Uint8Array) => Promise<void> | void,
  options: PacketOptions = {},
): Packet {
  checkOptions("createPacket()", options, {
    title: true,
    keepDuplicates: true,
    evenPages: true,
    maxBytes: true,
  });
  const { maxBytes = MOST_BYTES } = options;
  if (!Number.isInteger(maxBytes) || maxBytes < 1 || maxBytes > MOST_BYTES) {
    throw new QuireError(
      "invalid_request",
      `The option maxBytes of createPacket() must be an integer from 1 to ${MOST_BYTES}.`,
    );
  }
  return new QueuedPacket(write, { ...options, maxBytes });
}

class QueuedPacket implements Packet {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #options: PacketOptions & { readonly maxBytes: number };
  #merger: Merger | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #finished = false;
  /** The error that `write` threw. */
  #broken: { readonly error: unknown } | null = null;

  constructor(
    write: (bytes: Uint8Array) => Promise<void> | void,
    options: PacketOptions & { readonly maxBytes: number },
  ) {
    this.#options = options;
    this.#write = async (bytes) => {
      try {
        await write(bytes);
      } catch (error) {
        this.#broken = { error };
        throw error;
      }
    };
  }

  async add(pdf: Uint8Array, entry: PacketEntry): Promise<PacketPages> {
    this.#assertOpen();
    return this.#inTurn(async () => {
      if (this.#merger === null) {
        // The PDF parser is only loaded when something is merged.
        const { createMerger } = await import("./packet-merge.ts");
        this.#merger = createMerger(this.#write, this.#options);
      }
      return this.#merger.add(pdf, entry);
    });
  }

  async finish(): Promise<PacketSummary> {
    this.#assertOpen();
    this.#finished = true;
    return this.#inTurn(async () => {
      if (this.#merger === null || this.#merger.pages === 0) {
        throw new QuireError(
          "invalid_request",
          "The packet has no pages, but a PDF needs at least one. Add at least one PDF to the packet.",
        );
      }
      return this.#merger.finish();
    });
  }

  #assertOpen(): void {
    if (!this.#finished) return;
    throw new QuireError(
      "invalid_request",
      "The packet is finished. Create another one with createPacket().",
    );
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(() => {
      if (this.#broken !== null) throw this.#broken.error;
      return work();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}
