import { cp } from "node:fs/promises";
import { toQuireError } from "./database/sqlite-errors.ts";
import { templatesFolder } from "./templates/large-files.ts";

// Not imported, because an older Node lacks this module.
const sqlite = process.getBuiltinModule("node:sqlite");

/**
 * Copies a job store in the state of one moment, while other processes may use it. The copy is independent: its jobs
 * can be done without any effect on the original. `to` must not exist. Rejects `job_store_failed`.
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
      if (error.code !== "ENOENT") throw error; // no template is that large
    });
  } catch (error) {
    throw toQuireError(error, from);
  }
}
