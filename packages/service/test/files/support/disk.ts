import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SqliteStores, sqliteStores } from "@quire/jobs-sqlite";
import { fsStorage } from "@quire/storage-fs";
import { createFiles } from "../../../src/files/create-files.ts";
import type { Files } from "../../../src/files/files-types.ts";

/** A service with a folder and a database on this machine. */
export interface Disk extends AsyncDisposable {
  /** Contains the tenants' folders. */
  readonly root: string;
  readonly base: string;
  /**
   * Opens another service with the same folder and database, as another process would do. It is closed with the disk.
   */
  open(): Files;
}

export async function makeDisk(): Promise<Disk> {
  const base = await mkdtemp(join(tmpdir(), "quire-files-"));
  const root = join(base, "root");
  await mkdir(root);
  const opened: SqliteStores[] = [];
  return {
    base,
    root,
    open: () => {
      const { files, stores } = openFileLimit(base);
      opened.push(stores);
      return files;
    },
    [Symbol.asyncDispose]: async () => {
      for (const stores of opened) await stores.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Opens a service over the result of {@link makeDisk}. */
export function openFileLimit(base: string): {
  readonly files: Files;
  readonly stores: SqliteStores;
} {
  const stores = sqliteStores({ path: join(base, "jobs.db") });
  const storage = fsStorage({ root: join(base, "root") });
  return { files: createFiles({ storage, catalog: stores.files }), stores };
}
