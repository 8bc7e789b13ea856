import { setTimeout as wait } from "node:timers/promises";
import type { Batch } from "@quire/core/host";
import { wireBatch } from "../wire/jobs.ts";
import { tooMany } from "../wire/problem.ts";
import type { DocGenService } from "./doc-gen.ts";

const POLL_MS = 500;
/** Number of polls between two heartbeats. Proxies close connections that are silent for a long time. */
const BEAT_POLLS = 30;
const RETRY_SECONDS = 10;
const ENDED = { value: undefined, done: true } as const;

/** The number of open streams per tenant, for each service. */
const open = new WeakMap<DocGenService, Map<string, number>>();

/** Returns the progress of a batch as server-sent events, from its current state to its end, or until a read fails. */
export function progressOf(service: DocGenService, batch: Batch, signal: AbortSignal): Response {
  const leave = enter(service, batch.tenant);
  const events = progress(service, batch, AbortSignal.any([signal, service.draining]));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // If the batch cannot be read, the stream ends. The client then reconnects and gets the error.
      const { value, done } = await events.next().catch(() => ENDED);
      if (!done) return controller.enqueue(encoder.encode(value));
      leave();
      controller.close();
    },
    async cancel() {
      leave();
      await events.return();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

async function* progress(
  { engine }: DocGenService,
  first: Batch,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  let sent = "";
  let silent = 0;
  for (let batch = first; ; batch = await engine.getBatch(first.id)) {
    const isFinished = batch.status === "finished";
    const data = JSON.stringify(wireBatch(batch));
    if (data !== sent) yield `event: ${isFinished ? "finished" : "progress"}\ndata: ${data}\n\n`;
    else if (silent >= BEAT_POLLS) yield ":\n\n";
    if (isFinished) return;
    silent = data !== sent || silent >= BEAT_POLLS ? 0 : silent + 1;
    sent = data;
    await wait(POLL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

/** Counts an open stream. Returns a function to call when the stream ends. */
function enter(service: DocGenService, tenant: string): () => void {
  const counts = open.get(service) ?? new Map<string, number>();
  open.set(service, counts);
  const count = counts.get(tenant) ?? 0;
  if (count >= service.limits.streams) {
    throw tooMany("You have too many open streams. Close some of them first.", RETRY_SECONDS);
  }
  counts.set(tenant, count + 1);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const now = counts.get(tenant) ?? 1;
    if (now > 1) counts.set(tenant, now - 1);
    else counts.delete(tenant);
  };
}
