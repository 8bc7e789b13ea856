import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { monotonicMs } from "../database/machine.ts";
import type { HeartbeatData, HeartbeatMessage } from "./heartbeat.ts";

/** Renews leases in a separate thread, so that a busy event loop of the process does not delay renewals. */

const { path, seen, maxStillMs } = workerData as HeartbeatData;
const database = new DatabaseSync(path);
database.exec("PRAGMA busy_timeout = 1000");
// A power failure may lose renewals. This is acceptable, because the worker is then also dead. With NORMAL, SQLite
// still syncs other writes when it copies them from the log; with OFF, it would not.
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
  // The main thread seems to be stuck, so other workers may take its jobs.
  if (now - (seen[0] ?? 0) > maxStillMs) return;
  const expiresAt = now + leaseMs;
  try {
    if (renew.run(expiresAt, workerNo).changes === 1) deadline[0] = expiresAt;
    else {
      // Another process has found that the lease had expired.
      deadline[0] = 0;
      clearInterval(timers.get(workerNo));
      parentPort?.postMessage(workerNo);
    }
  } catch {
    // The file is locked or the disk is full: the next renewal may succeed before the lease expires.
  }
}
