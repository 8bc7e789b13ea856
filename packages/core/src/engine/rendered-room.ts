import { FairSemaphore, type Occupant } from "@quire/contracts";

/**
 * Approximate limit for rendered documents that wait for the converter and the storage, in bytes. One tenant can use
 * half of it.
 */
export const MAX_RENDERED_BYTES = 128_000_000;

/** The estimated length of a document that has not been rendered yet, based on earlier documents of its batch. */
export interface Expectation {
  /** In bytes. */
  expectedBytes: number;
}

/** The room that a document takes while it waits for a renderer and is rendered. */
export interface Place {
  /** Whether there is room for the rendered document. Call it when rendering is about to begin. */
  mayBegin(): boolean;
  /** Whether the last `mayBegin` returned false. If so, enter again. */
  readonly isRefused: boolean;
  /** Replaces the expected length with the document's length in bytes, or with 0 without a document. Call it once. */
  leave(length: number): void;
}

/**
 * Limits the bytes of rendered documents that are not stored yet, over all batches. Documents that wait for a renderer
 * count with their expected length. Since that length may be wrong, the room is checked again when rendering begins.
 */
export class RenderedRoom {
  /** Includes the expected bytes of documents that wait for a renderer. */
  readonly #expected: FairSemaphore;
  readonly #actual: FairSemaphore;

  /** `size`: in bytes. One tenant can use half of it. */
  constructor(size: number) {
    this.#expected = new FairSemaphore(size);
    this.#actual = new FairSemaphore(size);
  }

  /** Waits for room. The room of a document that was rendered is kept until {@link release}. */
  async enter(occupant: Occupant, expectation: Expectation): Promise<Place> {
    const expected = await this.#expected.acquire(occupant, () => expectation.expectedBytes);
    let isRefused = false;
    return {
      mayBegin: () => {
        isRefused = !this.#actual.isOpenTo(occupant);
        return !isRefused;
      },
      get isRefused() {
        return isRefused;
      },
      leave: (length) => {
        if (!isRefused) {
          const mean = Math.ceil((expectation.expectedBytes + length) / 2);
          expectation.expectedBytes = Math.max(length, mean);
        }
        this.#actual.add(occupant, length);
        this.#expected.add(occupant, length);
        this.#expected.release(occupant, expected);
      },
    };
  }

  /** Releases the room of a rendered document that is stored or no longer needed. */
  release(occupant: Occupant, length: number): void {
    this.#actual.release(occupant, length);
    this.#expected.release(occupant, length);
  }
}
