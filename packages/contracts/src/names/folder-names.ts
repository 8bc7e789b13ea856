import type { FolderRef, Storage } from "../ports/storage.ts";
import { foldName, parseFileName, renamed } from "./output-names.ts";
import type { ConflictPolicy } from "./reserve-name.ts";

/**
 * Number of names per page of the listing. Pages are large because a storage may read the whole folder for each page,
 * but they are limited because each page takes memory.
 */
const PAGE = 100_000;

/**
 * Up to this number of names are looked up one by one, with at most `MAX_QUESTIONS` lookups, to avoid listing a large
 * folder.
 */
const MAX_ASKED = 16;
const MAX_QUESTIONS = 64;

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
 * Returns the folded names that are taken in a folder. If only a few names are `wanted` and the storage has `isTaken`,
 * the result may contain only the names that matter to them. If `wanted` is null, it contains all names. Rejects with
 * the storage's errors, for example `not_found`.
 */
export async function takenNames(
  storage: Storage,
  folder: FolderRef,
  wanted: WantedNames | null,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const few = wanted !== null && wanted.names.length <= MAX_ASKED;
  const asked = few ? await takenAmong(storage, folder, wanted, signal) : null;
  return asked ?? (await folderNames(storage, folder, signal));
}

/** Lists the folder and returns all names in it, folded. */
async function folderNames(
  storage: Storage,
  folder: FolderRef,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let marker: string | null = null;
  do {
    const page = await storage.list(folder, {
      limit: PAGE,
      ...(marker === null ? {} : { marker }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const { name } of page.entries) names.add(foldName(name));
    marker = page.nextMarker;
  } while (marker !== null);
  return names;
}

/**
 * Looks up the names, and their replacements (`name (1).pdf`) until one is free. Returns null if the storage has no
 * `isTaken`, or if too many lookups are needed. A running batch may have reserved some of these names, so a job may get
 * a name that was not looked up; if that name is taken, `create` detects it.
 */
async function takenAmong(
  storage: Storage,
  folder: FolderRef,
  { names, policy }: WantedNames,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string> | null> {
  if (storage.isTaken === undefined) return null;
  const options = signal === undefined ? {} : { signal };
  const free = new Set<string>();
  const taken = new Set<string>();
  let questions = 0;
  for (const name of names) {
    for (const candidate of candidates(parseFileName(name), policy)) {
      const folded = foldName(candidate);
      // A name assigned to another entry is not free for this entry.
      if (free.has(folded) || taken.has(folded)) continue;
      questions += 1;
      if (questions > MAX_QUESTIONS) return null;
      if (!(await storage.isTaken(folder, candidate, options))) {
        free.add(folded);
        break;
      }
      taken.add(folded);
    }
  }
  return taken;
}

/** Yields the names that a document may get, starting with the requested name. */
function* candidates(name: string, policy: ConflictPolicy): Generator<string, void, undefined> {
  yield name;
  for (let number = 1; policy === "rename"; number++) yield renamed(name, number);
}
