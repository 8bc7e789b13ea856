/**
 * The guard thread in a process of the pool. It kills the process when the host has ended, and when the process exceeds
 * its memory limit. V8's own heap limit does not include the memory of buffers.
 */
import { Socket } from "node:net";
import { GUARD, PIPES } from "../protocol/messages.ts";
import { readPipe } from "../protocol/read-pipe.ts";

/** Interval between two checks in milliseconds. Between them, memory can grow beyond the limit. */
const INTERVAL_MS = 50;

/** A process should be replaced if it exceeds this fraction of its limit in `TIRED_LOOKS` consecutive checks. */
const TIRED_PART = 0.6;
const TIRED_LOOKS = 40;

const [limitMb = ""] = process.argv.slice(2);
const limit = Number(limitMb) * 1024 * 1024;
let looks = 0;

const line = new Socket({ fd: PIPES.guard, readable: true, writable: true });
const host = process.versions.bun === undefined ? line : readPipe(PIPES.guard);
for (const end of [line, host]) end.on("end", kill).on("error", kill).on("close", kill);
host.resume();
setInterval(look, INTERVAL_MS);

function look(): void {
  const used = process.memoryUsage.rss();
  if (used > limit) line.write(Uint8Array.of(GUARD.overfull), kill);
  looks = used > limit * TIRED_PART ? looks + 1 : 0;
  if (looks === TIRED_LOOKS) line.write(Uint8Array.of(GUARD.tired));
}

function kill(): void {
  process.kill(process.pid, "SIGKILL");
}
