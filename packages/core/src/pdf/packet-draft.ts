import { createHash } from "node:crypto";
import type { PacketFile, PacketObject } from "./packet-file.ts";

/** So many digests of objects are remembered, some 150 bytes each. */
const MOST_REMEMBERED = 16_384;

/** What may be written once for several sources: the numbers of objects by the digest of what they hold. */
export class SharedObjects {
  readonly #numbers = new Map<string, number>();
  objects = 0;
  bytes = 0;

  find(digest: string): number | undefined {
    const number = this.#numbers.get(digest);
    if (number === undefined) return undefined;
    // What is used again goes to the end of the line: what all sources have is never forgotten.
    this.#numbers.delete(digest);
    this.#numbers.set(digest, number);
    return number;
  }

  remember(digest: string, number: number): void {
    this.#numbers.set(digest, number);
    if (this.#numbers.size <= MOST_REMEMBERED) return;
    const oldest = this.#numbers.keys().next();
    if (!oldest.done) this.#numbers.delete(oldest.value);
  }
}

/** A page that lacks only its parent. */
export interface DraftPage {
  readonly number: number;
  /** The rest of its dictionary, without `<<` and `>>`. */
  readonly text: string;
}

/**
 * All objects of one source before any of them is written: a source that turns out to be damaged leaves
 * nothing behind.
 */
export class PacketDraft {
  readonly objects: PacketObject[] = [];
  readonly pages: DraftPage[] = [];
  readonly #file: PacketFile;
  /** Null when nothing is to be shared. */
  readonly #shared: SharedObjects | null;
  readonly #first: number;
  readonly #digests = new Map<string, number>();
  #sharedObjects = 0;
  #sharedBytes = 0;
  #bytes = 0;

  constructor(file: PacketFile, shared: SharedObjects | null) {
    this.#file = file;
    this.#shared = shared;
    this.#first = file.next;
  }

  /** How many bytes its objects have, at most. */
  get bytes(): number {
    return this.#bytes;
  }

  reserve(): number {
    return this.#file.reserve();
  }

  put(number: number, text: string, stream: Uint8Array | null): void {
    this.objects.push({ number, text, stream });
    this.#bytes += text.length + (stream?.length ?? 0);
  }

  putPage(page: DraftPage): void {
    this.pages.push(page);
    this.#bytes += page.text.length;
  }

  /**
   * Puts an object that refers to nothing but objects that were put in this way: then one that reads the
   * same is the same, with all that it leads to.
   */
  share(text: string, stream: Uint8Array | null): number {
    if (this.#shared === null) return this.#putNew(text, stream);
    const hash = createHash("sha256").update(text, "latin1");
    if (stream !== null) hash.update(" stream ").update(stream);
    const digest = hash.digest("base64");
    const known = this.#shared.find(digest) ?? this.#digests.get(digest);
    if (known !== undefined) {
      this.#sharedObjects += 1;
      this.#sharedBytes += text.length + (stream?.length ?? 0);
      return known;
    }
    const number = this.#putNew(text, stream);
    this.#digests.set(digest, number);
    return number;
  }

  /** The objects are about to be written: the next sources may share them. */
  accept(): void {
    if (this.#shared === null) return;
    for (const [digest, number] of this.#digests) this.#shared.remember(digest, number);
    this.#shared.objects += this.#sharedObjects;
    this.#shared.bytes += this.#sharedBytes;
  }

  /** Gives the numbers back. */
  discard(): void {
    this.#file.giveBack(this.#first);
  }

  #putNew(text: string, stream: Uint8Array | null): number {
    const number = this.reserve();
    this.put(number, text, stream);
    return number;
  }
}
