import { throwIfAborted } from "../errors.ts";
import type { FolderRef, StorageOptions } from "../ports/storage.ts";
import { unlessAborted } from "../read-pieces.ts";
import { createTurns } from "../turns.ts";
import { foldName, parseFileName } from "./output-names.ts";

/** How an index reads a storage. Both methods reject as the storage does. */
export interface NamesSource {
  /** Whether a file or a folder has exactly this name. */
  exists(folder: FolderRef, name: string, options: StorageOptions): Promise<boolean>;
  /** The names of all files and folders in a folder, in any order. */
  names(folder: FolderRef): Promise<readonly string[]>;
}

/** Answers {@link Storage.isTaken} without listing the folder each time. */
export interface TakenIndex {
  /** As `Storage.isTaken`, for a valid name. */
  isTaken(folder: FolderRef, name: string, options: StorageOptions): Promise<boolean>;
  /** Records a name that the storage has created, so that it is known at once. */
  add(folder: FolderRef, name: string): void;
}

/**
 * An index of the names of folders by their folded form, for storages that distinguish names by case or by Unicode
 * normalization. Exact names are always looked up. Other names with the same folded form come from the index, and each
 * is looked up before it counts. The index reads a folder at its first use, and again when reading it takes at most a
 * hundredth of the time: until then, it may miss such names if another process has created them.
 */
export function takenIndex(source: NamesSource): TakenIndex {
  return new Index(source);
}

/** After a folder was read, it is not read again for this multiple of the time that reading took. */
const REST = 100;

/** Maximum number of names to remember, except for the last folder. A name takes about 120 bytes. */
const MAX_NAMES = 250_000;

/** Names by their folded form. Few folders have several names with the same folded form. */
type Names = Map<string, string | readonly string[]>;

interface Known {
  readonly names: Names;
  /** From then on, by `performance.now()`, the folder is read again. */
  readonly until: number;
}

class Index implements TakenIndex {
  readonly #source: NamesSource;
  /** By the folder's id, in the order of their last use. */
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, { readonly names: Names; readonly read: Promise<Known> }>();

  constructor(source: NamesSource) {
    this.#source = source;
  }

  async isTaken(folder: FolderRef, name: string, options: StorageOptions): Promise<boolean> {
    throwIfAborted(options.signal);
    const exact = parseFileName(name);
    if (await this.#source.exists(folder, exact, options)) return true;
    const { names } = await unlessAborted(this.#namesOf(folder), options.signal);
    for (const other of sameFold(names, exact)) {
      if (other !== exact && (await this.#source.exists(folder, other, options))) return true;
    }
    return false;
  }

  add({ id }: FolderRef, name: string): void {
    for (const names of [this.#known.get(id)?.names, this.#reading.get(id)?.names]) {
      if (names !== undefined) addName(names, name);
    }
  }

  async #namesOf(folder: FolderRef): Promise<Known> {
    const { id } = folder;
    const known = this.#known.get(id);
    if (known !== undefined && performance.now() < known.until) {
      this.#known.delete(id); // moves it to the end
      this.#known.set(id, known);
      return known;
    }
    const running = this.#reading.get(id);
    if (running !== undefined) return running.read;
    const names: Names = new Map();
    const read = this.#read(folder, names).finally(() => this.#reading.delete(id));
    this.#reading.set(id, { names, read });
    return read;
  }

  async #read(folder: FolderRef, names: Names): Promise<Known> {
    const start = performance.now();
    const all = await this.#source.names(folder);
    const turns = createTurns();
    await turns.begin();
    for (const name of all) {
      addName(names, name);
      if (turns.isOver) await turns.begin();
    }
    const end = performance.now();
    const known = { names, until: end + REST * (end - start) };
    this.#known.delete(folder.id);
    this.#known.set(folder.id, known);
    this.#forget();
    return known;
  }

  /** Forgets the folders that were not used for the longest time. */
  #forget(): void {
    let total = 0;
    for (const { names } of this.#known.values()) total += names.size;
    for (const [id, { names }] of this.#known) {
      if (total <= MAX_NAMES || this.#known.size === 1) return;
      this.#known.delete(id);
      total -= names.size;
    }
  }
}

function sameFold(names: Names, name: string): readonly string[] {
  return [names.get(foldName(name)) ?? []].flat();
}

function addName(names: Names, name: string): void {
  const same = sameFold(names, name);
  if (same.includes(name)) return;
  names.set(foldName(name), same.length === 0 ? name : [...same, name]);
}
