import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { PacketFile, PacketObject } from "./packet-file.ts";

/** Maximum number of object digests in memory; each takes about 150 bytes. */
const MAX_REMEMBERED = 16_384;

/**
 * The numbers of objects that several sources share, by the digest of their content. Objects that all sources have in
 * common are used often, so they are never forgotten.
 */
export class SharedObjects {
  readonly #numbers = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  objects = 0;
  bytes = 0;

  find(digest: string): number | undefined {
    return this.#numbers.get(digest);
  }

  remember(digest: string, number: number): void {
    this.#numbers.set(digest, number);
  }
}

/** A page that has no parent yet. */
export interface DraftPage {
  readonly number: number;
  /** The page's dictionary except its parent, without `<<` and `>>`. */
  readonly text: string;
}

/**
 * All objects of one source before they are written. If the source turns out to be damaged, no part of it is written.
 */
export class PacketDraft {
  readonly objects: PacketObject[] = [];
  readonly pages: DraftPage[] = [];
  readonly #file: PacketFile;
  /** Null if sources do not share objects. */
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

  /** The size of the objects and pages before compression, in bytes. */
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
   * Puts an object that refers only to objects put by this method, and returns its number. Two such objects with equal
   * text are therefore equal, including all objects that they refer to.
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

  /** Lets later sources share the objects. Must be called before the objects are written. */
  accept(): void {
    if (this.#shared === null) return;
    for (const [digest, number] of this.#digests) this.#shared.remember(digest, number);
    this.#shared.objects += this.#sharedObjects;
    this.#shared.bytes += this.#sharedBytes;
  }

  /** Frees the object numbers of the draft. */
  discard(): void {
    this.#file.giveBack(this.#first);
  }

  #putNew(text: string, stream: Uint8Array | null): number {
    const number = this.reserve();
    this.put(number, text, stream);
    return number;
  }
}
