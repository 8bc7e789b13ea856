import { EventEmitter } from "node:events";
import type { WorkWatch } from "@quire/contracts";

/** One event per file: all handles of the process on one path hear of each other's changes. */
const events = new EventEmitter().setMaxListeners(0);

/** Reports that there may be work in a file. */
export function announceWork(path: string): void {
  events.emit(path);
}

/** Notifies a worker of work in a file until the returned function is called. */
export function watchWork(path: string, watch: WorkWatch): () => void {
  const notify = (): void => watch.notify();
  events.on(path, notify);
  return () => void events.off(path, notify);
}
