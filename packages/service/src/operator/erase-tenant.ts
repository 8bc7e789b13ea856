import { setTimeout as sleep } from "node:timers/promises";
import { type FileRef, type FolderRef, QuireError, type Storage } from "@quire/core/host";
import { hasCode } from "../files/file-errors.ts";
import { inParallel } from "../files/in-parallel.ts";
import { HIDDEN_FOLDER, TENANTS_FOLDER, tenantFolder } from "../files/storage-layout.ts";
import { MARKER } from "../files/tenant-roots.ts";
import type { OperatorStores } from "./operator-stores.ts";

/** The number of erased items of a tenant, by kind. */
export type Erased = Readonly<
  Record<"files" | "bytes" | "jobs" | "webhooks" | "templates" | "tokens", number>
>;

/** How long to wait for running jobs. Each job has its own limits. */
const JOBS_TIMEOUT_MS = 300_000;
const POLL_MS = 200;
const PAGE = 1000;
const PARALLEL = 16;

/**
 * Erases all data of a suspended tenant. Erases its batches first, so that they create no more documents. Removes the
 * file that marks its folder in the storage last, so that a repeated call finds the folder again.
 */
export async function eraseTenant(
  stores: OperatorStores,
  storage: Storage,
  tenant: string,
): Promise<Erased> {
  const { jobs, files, templates, webhooks, tokens } = stores;
  await jobs.holdTenant(tenant, true);
  const ofJobs = await jobs.gauge.use(tenant);
  const ofFiles = await files.use(tenant);
  const root: FolderRef = { type: "folder", id: `${TENANTS_FOLDER}/${tenantFolder(tenant)}` };
  const hidden: FolderRef = { type: "folder", id: `${root.id}/${HIDDEN_FOLDER}` };
  const marker = await storage.find(hidden, MARKER);
  if (marker === null && ofFiles.files > 0) throw otherStorage(tenant);
  await eraseJobs(stores, tenant);
  await removeAll(storage, root, marker?.ref.id ?? null);
  const counts = {
    files: await files.eraseTenant(tenant),
    bytes: ofFiles.bytes + ofJobs.bytes,
    jobs: ofJobs.jobs,
    webhooks: await webhooks.eraseTenant(tenant),
    templates: await templates.eraseTenant(tenant),
    tokens: await tokens.eraseTenant(tenant),
  };
  if (marker !== null) await storage.remove(marker.ref);
  for (const folder of [hidden, root]) await removeFolder(storage, folder);
  return counts;
}

async function eraseJobs({ jobs }: OperatorStores, tenant: string): Promise<void> {
  const end = performance.now() + JOBS_TIMEOUT_MS;
  while ((await jobs.eraseTenant(tenant)) > 0) {
    if (performance.now() > end) throw jobsStillRunning(tenant);
    await sleep(POLL_MS);
  }
}

/** Removes everything in a folder except one file. Also removes folders that become empty. */
async function removeAll(
  storage: Storage,
  folder: FolderRef,
  except: string | null,
): Promise<void> {
  // The first page is read again until nothing on it can be removed.
  for (let left = await entriesOf(storage, folder, except); left.length > 0; ) {
    await inParallel(left, PARALLEL, async (ref) => {
      if (ref.type === "file") return storage.remove(ref);
      await removeAll(storage, ref, except);
      await removeFolder(storage, ref);
    });
    const before = new Set(left.map(({ id }) => id));
    left = await entriesOf(storage, folder, except);
    if (left.every(({ id }) => before.has(id))) return;
  }
}

/** Returns the first page of items in a folder; none if the folder does not exist. */
async function entriesOf(
  storage: Storage,
  folder: FolderRef,
  except: string | null,
): Promise<readonly (FileRef | FolderRef)[]> {
  try {
    const { entries } = await storage.list(folder, { limit: PAGE });
    return entries.map(({ ref }) => ref).filter(({ id }) => id !== except);
  } catch (error) {
    if (hasCode(error, "not_found")) return [];
    throw error;
  }
}

/** Removes a folder, unless it contains the excepted file or files that have no id. */
async function removeFolder(storage: Storage, folder: FolderRef): Promise<void> {
  try {
    await storage.removeFolder(folder);
  } catch (error) {
    if (!hasCode(error, "conflict")) throw error;
  }
}

function otherStorage(tenant: string): QuireError {
  return new QuireError(
    "invalid_request",
    `The files of ${JSON.stringify(tenant)} are not in this storage, so they cannot be erased there. Use the storage of the service.`,
  );
}

function jobsStillRunning(tenant: string): QuireError {
  return new QuireError(
    "unavailable",
    `Jobs of ${JSON.stringify(tenant)} are still running, so not everything could be erased. Erase the tenant again when they have finished.`,
    { retryable: true },
  );
}
