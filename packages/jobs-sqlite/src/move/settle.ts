import type { Database } from "../database/database.ts";
import { monotonicMs } from "../database/machine.ts";
import { JobTransitions } from "../lease/job-transitions.ts";
import { Pins } from "../templates/pins.ts";
import { tidy } from "../tidy.ts";

/**
 * Does what services do after a start, with a file that no process uses: returns jobs in progress to the queue, and
 * finishes the work on cancelled, abandoned and deleted batches.
 */
export async function settle(database: Database): Promise<void> {
  const transitions = new JobTransitions(database);
  const pins = new Pins(database);
  database.commit(() => {
    transitions.reap(monotonicMs());
    // The leases of the other workers have not expired yet, but their processes do not have the file open any more.
    for (const { no } of database.all("SELECT no FROM worker"))
      transitions.dismiss(Number(no), "dead");
  });
  while (database.commit(() => tidy({ database, transitions, pins }, null))) await database.sync();
  await database.sync();
}
