import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { HeartbeatData, HeartbeatMessage } from "./heartbeat.ts";
import { monotonicMs } from "./machine.ts";

/** Renews leases: in a thread of its own, so that a busy event loop of the process does not keep it waiting. */

const { path, seen, maxStillMs } = workerData as HeartbeatData;
const database = new DatabaseSync(path);
database.exec("PRAGMA busy_timeout = 1000");
// A renewal that is lost with the machine's power is no loss: so is the worker. What others have written is
// synced nevertheless where SQLite carries it on; OFF would leave that out.
database.exec("PRAGMA synchronous = NORMAL");
database.exec("PRAGMA wal_autocheckpoint = 0");
const renew = database.prepare("UPDATE worker SET expires_at = ? WHERE no = ?");
const timers = new Map<number, NodeJS.Timeout>();

parentPort?.postMessage("started");
parentPort?.on("message", (message: HeartbeatMessage) => {
  clearInterval(timers.get(message.workerNo));
  timers.delete(message.workerNo);
  if (message.type === "stop") return;
  const beat = (): void => renewLease(message);
  timers.set(message.workerNo, setInterval(beat, message.renewMs));
});

function renewLease({ workerNo, leaseMs, deadline }: HeartbeatMessage & { type: "start" }): void {
  const now = monotonicMs();
  // Stuck for good, as it seems: others are to have its jobs.
  if (now - (seen[0] ?? 0) > maxStillMs) return;
  const expiresAt = now + leaseMs;
  try {
    if (renew.run(expiresAt, workerNo).changes === 1) deadline[0] = expiresAt;
    else {
      // Another process has found the lease run out.
      deadline[0] = 0;
      clearInterval(timers.get(workerNo));
      parentPort?.postMessage(workerNo);
    }
  } catch {
    // Locked, or the disk is full: until the lease has run out there is time for another try.
  }
}
