import { QuireError } from "../errors.ts";
import type { FolderRef, Storage } from "../ports/storage.ts";
import { foldName, parseFileName, renamed } from "./output-names.ts";
import type { ConflictPolicy } from "./request.ts";

/** Names per page of the listing: a storage may read the whole folder for each page. */
const PAGE = 10_000;

/**
 * The names that are taken in one destination folder, compared without case. Names are reserved in the
 * order of the entries, so that which of two equal names is changed does not depend on which of the
 * documents is finished first.
 */
export class FolderNames {
  readonly #taken = new Set<string>();
  /** Where the search for a free number goes on, by folded name: a thousand equal names stay cheap. */
  readonly #nextNumber = new Map<string, number>();

  /** Lists a folder. Rejects what the storage rejects, for example `not_found`. */
  static async of(storage: Storage, folder: FolderRef, signal?: AbortSignal): Promise<FolderNames> {
    const names = new FolderNames();
    let marker: string | null = null;
    do {
      const page = await storage.list(folder, {
        limit: PAGE,
        ...(marker === null ? {} : { marker }),
        ...(signal === undefined ? {} : { signal }),
      });
      for (const { name } of page.entries) names.#taken.add(foldName(name));
      marker = page.nextMarker;
    } while (marker !== null);
    return names;
  }

  /** Reserves a name, or another one like it. Throws `conflict` or `item_name_invalid`. */
  reserve(requested: string, policy: ConflictPolicy): string {
    const name = parseFileName(requested);
    if (this.#take(name)) return name;
    if (policy === "fail") throw nameTaken(name);
    const folded = foldName(name);
    for (let number = this.#nextNumber.get(folded) ?? 1; ; number++) {
      const other = renamed(name, number);
      if (this.#take(other)) {
        this.#nextNumber.set(folded, number + 1);
        return other;
      }
    }
  }

  /** Gives a name back that came to nothing. */
  release(name: string): void {
    this.#taken.delete(foldName(name));
    this.#nextNumber.clear();
  }

  #take(name: string): boolean {
    const folded = foldName(name);
    if (this.#taken.has(folded)) return false;
    this.#taken.add(folded);
    return true;
  }
}

/** The names of one batch in its folder. What it reserves and does not use, it gives back at its end. */
export class BatchNames {
  readonly #folder: FolderNames;
  readonly #unused = new Set<string>();

  constructor(folder: FolderNames) {
    this.#folder = folder;
  }

  /** Like {@link FolderNames.reserve}. */
  reserve(requested: string, policy: ConflictPolicy): string {
    const name = this.#folder.reserve(requested, policy);
    this.#unused.add(name);
    return name;
  }

  /** A file with this name is there: ours, or one that somebody else wrote meanwhile. */
  written(name: string): void {
    this.#unused.delete(name);
  }

  /** The batch has ended. Not before: within a batch the order of the entries decides, not their fate. */
  release(): void {
    for (const name of this.#unused) this.#folder.release(name);
    this.#unused.clear();
  }
}

function nameTaken(name: string): QuireError {
  return new QuireError(
    "conflict",
    `The file name ${JSON.stringify(name)} is taken, by another entry or by a file that is already in the folder. Use another name or another folder, or have conflicts renamed.`,
  );
}
