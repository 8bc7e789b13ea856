import { cp } from "node:fs/promises";
import { toQuireError } from "./database/sqlite-errors.ts";
import { templatesFolder } from "./templates/large-files.ts";

// Not imported, because an older Node lacks this module.
const sqlite = process.getBuiltinModule("node:sqlite");

/**
 * Copies a snapshot of a job store, which other processes may be using. The copy is independent: running its jobs does
 * not affect the original. `to` must not exist. Rejects `job_store_failed`.
 */
export async function copyJobStore(from: string, to: string): Promise<void> {
  try {
    const database = new sqlite.DatabaseSync(from, { readOnly: true });
    try {
      database.prepare("VACUUM INTO ?").run(to);
    } finally {
      database.close();
    }
    await cp(templatesFolder(from), templatesFolder(to), { recursive: true }).catch((error) => {
      if (error.code !== "ENOENT") throw error; // the store has no large templates
    });
  } catch (error) {
    throw toQuireError(error, from);
  }
}
