import { isQuireError, type QuireError } from "@quire/contracts";

/** Called with the error when work stops because the job store fails, and with null when work continues. */
export type StoreFailureHandler = (failure: QuireError | null) => void;

/** Reports once when the job store begins to fail, and once when it works again. */
export class StoreWatch {
  readonly #handler: StoreFailureHandler | null;
  #isFailing = false;

  constructor(handler: StoreFailureHandler | null) {
    this.#handler = handler;
  }

  failed(error: unknown): void {
    if (this.#isFailing || !isQuireError(error) || error.code !== "job_store_failed") return;
    this.#isFailing = true;
    this.#report(error);
  }

  /** Call it after a write. */
  works(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#report(null);
  }

  #report(failure: QuireError | null): void {
    try {
      this.#handler?.(failure);
    } catch {
      // A handler cannot change what happens to the work.
    }
  }
}
