/**
 * What the thread beside a process of the pool does: it ends the process when the host is gone, and when
 * the process holds more memory than it may. V8 bounds its own heap; what buffers hold is not in there.
 */
// biome-ignore lint/style/noRestrictedImports: the pipe to the host.
import { Socket } from "node:net";
import { GUARD, PIPES } from "./messages.ts";

/** In between, memory can grow beyond the limit. */
const INTERVAL_MS = 50;

/** A process that has held more than this part of its limit for so many looks is tired. */
const TIRED_PART = 0.6;
const TIRED_LOOKS = 40;

const [limitMb = ""] = process.argv.slice(2);
const limit = Number(limitMb) * 1024 * 1024;
let looks = 0;

const line = new Socket({ fd: PIPES.guard, readable: true, writable: true });
line.on("end", kill).on("error", kill).on("close", kill).resume();
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
