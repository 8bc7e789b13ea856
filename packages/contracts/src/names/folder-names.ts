import type { FolderRef, Storage, StorageOptions } from "../ports/storage.ts";
import { foldName, parseFileName, renamed } from "./output-names.ts";
import type { ConflictPolicy } from "./reserve-name.ts";

/**
 * Number of names per page of the listing. Pages are large because a storage may read the whole folder for each page,
 * but they are limited because each page takes memory.
 */
const PAGE = 100_000;

/** For up to this number of names, the folder is not listed at all if the storage has `isTaken`. */
const MAX_UNLISTED = 16;
/**
 * For more names, the listing stops after this number of entries for each of them, and the names are looked up, many at
 * the same time.
 */
const LISTED_PER_NAME = 4;
/** Maximum number of lookups: at least `MIN_LOOKUPS`, or this number for each name. */
const LOOKUPS_PER_NAME = 4;
const MIN_LOOKUPS = 64;
/** Number of names that are looked up at the same time. Storages may send concurrent lookups together. */
const CONCURRENCY = 64;

/** The names that a batch requests, and its policy for taken names. */
export interface WantedNames {
  /**
   * The names as requested, with their extensions, in the order of the entries. Each must be valid, see
   * `parseFileName`.
   */
  readonly names: readonly string[];
  /** With `rename`, the replacements for taken names are also looked up. */
  readonly policy: ConflictPolicy;
}

/**
 * Returns the folded names that are taken in a folder. If the storage has `isTaken` and the folder is large for the
 * number of names that are `wanted`, the result may contain only the names that matter to them. If `wanted` is null, it
 * contains all names. Rejects with the storage's errors, for example `not_found`.
 */
export async function takenNames(
  storage: Storage,
  folder: FolderRef,
  wanted: WantedNames | null,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const options = signal === undefined ? {} : { signal };
  const listing = new Listing(storage, folder, options);
  const isTaken = storage.isTaken?.bind(storage);
  if (wanted !== null && isTaken !== undefined) {
    const count = wanted.names.length;
    if (count > MAX_UNLISTED) await listing.read(count * LISTED_PER_NAME);
    if (listing.isComplete) return listing.names;
    const lookUp = (name: string): Promise<boolean> => isTaken(folder, name, options);
    const taken = await takenAmong(wanted, listing.names, lookUp);
    if (taken !== null) return taken;
  }
  await listing.read(Number.POSITIVE_INFINITY);
  return listing.names;
}

/** A listing of a folder that can stop and continue. */
class Listing {
  /** The names that were listed, folded. */
  readonly names = new Set<string>();
  isComplete = false;
  readonly #storage: Storage;
  readonly #folder: FolderRef;
  readonly #options: StorageOptions;
  #marker: string | null = null;

  constructor(storage: Storage, folder: FolderRef, options: StorageOptions) {
    this.#storage = storage;
    this.#folder = folder;
    this.#options = options;
  }

  /** Lists about this number of further entries. */
  async read(count: number): Promise<void> {
    for (let left = count; left > 0 && !this.isComplete; ) {
      const { entries, nextMarker } = await this.#storage.list(this.#folder, {
        ...this.#options,
        limit: Math.min(PAGE, left),
        ...(this.#marker === null ? {} : { marker: this.#marker }),
      });
      for (const { name } of entries) this.names.add(foldName(name));
      left -= entries.length;
      this.#marker = nextMarker;
      this.isComplete = nextMarker === null;
    }
  }
}

/**
 * Looks up the names, and their replacements (`name (1).pdf`) until one is free, except for those that are `known` to
 * be taken. Returns all folded names that are taken, or null if too many lookups are needed. A running batch may have
 * reserved some of these names, so a job may get a name that was not looked up; if that name is taken, `create` detects
 * it.
 */
async function takenAmong(
  { names, policy }: WantedNames,
  known: ReadonlySet<string>,
  isTaken: (name: string) => Promise<boolean>,
): Promise<ReadonlySet<string> | null> {
  const free = new Set<string>();
  const taken = new Set(known);
  const wanted = names.map((name) => parseFileName(name));
  const most = Math.max(MIN_LOOKUPS, names.length * LOOKUPS_PER_NAME);
  for (let lookups = 0; ; ) {
    const assumed = assumedNames(wanted, policy, { free, taken });
    if (assumed.size === 0) return taken;
    lookups += assumed.size;
    if (lookups > most) return null;
    await inParallel(assumed, async ([folded, name]) => {
      ((await isTaken(name)) ? taken : free).add(folded);
    });
  }
}

/**
 * Assigns a name to each entry, as if names that were not looked up were free. Returns those, by their folded forms. A
 * name assigned to another entry is not free for an entry.
 */
function assumedNames(
  wanted: readonly string[],
  policy: ConflictPolicy,
  { free, taken }: { readonly free: ReadonlySet<string>; readonly taken: ReadonlySet<string> },
): ReadonlyMap<string, string> {
  const assumed = new Map<string, string>();
  const own = new Set<string>();
  // Equal names share their candidates, so that many of them take linear time.
  const remaining = new Map<string, Generator<string, void, undefined>>();
  for (const name of wanted) {
    const key = foldName(name);
    const rest = remaining.get(key) ?? candidates(name, policy);
    remaining.set(key, rest);
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const folded = foldName(next.value);
      if (own.has(folded) || taken.has(folded)) continue;
      if (!free.has(folded)) assumed.set(folded, next.value);
      own.add(folded);
      break;
    }
  }
  return assumed;
}

async function inParallel<T>(
  values: Iterable<T>,
  body: (value: T) => Promise<void>,
): Promise<void> {
  // All loops share one iterator.
  const iterator = values[Symbol.iterator]();
  const loop = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      await body(next.value);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
}

/** Yields the names that a document may get, starting with the requested name. */
function* candidates(name: string, policy: ConflictPolicy): Generator<string, void, undefined> {
  yield name;
  for (let number = 1; policy === "rename"; number++) yield renamed(name, number);
}
