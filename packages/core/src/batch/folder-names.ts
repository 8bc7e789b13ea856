import type { FolderRef, Storage } from "../ports/storage.ts";
import { foldName, parseFileName, renamed } from "./output-names.ts";
import type { ConflictPolicy } from "./request.ts";

/** Names per page of the listing: a storage may read the whole folder for each page, and each takes memory. */
const PAGE = 100_000;

/** So few names are asked for one by one, with at most so many questions: then a large folder need not be listed. */
const MAX_ASKED = 16;
const MAX_QUESTIONS = 64;

/** The names that a batch asks for, and what happens to those that are taken. */
export interface WantedNames {
  readonly names: readonly string[];
  readonly policy: ConflictPolicy;
}

/**
 * The folded names that are taken in a folder: all of them, or, where few are wanted and the storage can be asked
 * for names, those that concern them. Without `wanted` all. Rejects what the storage rejects, for
 * example `not_found`.
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

/** Everything that stands in the folder. */
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
 * Asks for the names, and for those that take their place (`name (1).pdf`) until one is free. Null when the storage
 * cannot be asked, and when there are too many questions. What is taken and was not asked for, because a batch that runs
 * has the names before it, is met when the document is created.
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
      // One that another entry gets is not free for this one.
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

/** The names that a document may have, from the one that is wanted on. */
function* candidates(name: string, policy: ConflictPolicy): Generator<string, void, undefined> {
  yield name;
  for (let number = 1; policy === "rename"; number++) yield renamed(name, number);
}
