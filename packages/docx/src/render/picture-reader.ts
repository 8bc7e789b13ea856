import type { Spend } from "../values/budget.ts";
import type { PreparedImages } from "../values/image/prepare-images.ts";
import { readImage } from "../values/image/read-image.ts";
import { keyOf, referenceOf } from "../values/image/sources.ts";
import { pictureSteps } from "./evaluate/context/weights.ts";

/** Reads each picture of a document once, even if it appears in many places, such as a logo in each row. */
export class PictureReader {
  readonly #prepared: PreparedImages | null;
  readonly #spend: Spend;
  /** The results, by the values that were read: strings, and objects that refer to files or URLs. */
  readonly #known = new Map<unknown, ReturnType<typeof readImage>>();

  constructor(prepared: PreparedImages | null, spend: Spend) {
    this.#prepared = prepared;
    this.#spend = spend;
  }

  /** Like {@link readImage}. */
  read(value: unknown): ReturnType<typeof readImage> {
    const known = this.#known.get(value);
    this.#spend(pictureSteps(this.#length(value), known !== undefined), "pictures");
    if (known !== undefined) return known;
    const read = readImage(value, this.#prepared);
    this.#known.set(value, read);
    return read;
  }

  #length(value: unknown): number {
    if (typeof value === "string") return value.length;
    const reference = referenceOf(value);
    const loaded = reference === null ? undefined : this.#prepared?.loaded.get(keyOf(reference));
    return loaded !== undefined && "bytes" in loaded ? loaded.bytes.length : 0;
  }
}
