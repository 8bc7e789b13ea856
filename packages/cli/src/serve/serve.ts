import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import { type Io, writeLine } from "../terminal/io.ts";
import { assemble } from "./assemble.ts";
import { limitHeap } from "./limit-heap.ts";
import { listen, untilSignal } from "./listen.ts";
import { printTable } from "./print-table.ts";
import { changedSettings, type Settings, settingsOf } from "./settings.ts";
import { startWorkers } from "./workers.ts";

/** Maximum time for running requests at shutdown. The rest of the grace period is for documents. */
const REQUESTS_GRACE_MS = 10_000;

/** Serves until a signal arrives, then shuts down gracefully. */
export async function serve(io: Io, command: Command): Promise<void> {
  limitHeap();
  const settings = await settingsOf<Settings>(io, command);
  const assembled = await assemble(io, settings);
  const { service } = assembled;
  const { host, port } = settings;
  const options = { host: "--host", port: "--port" };
  // The handlers come before the address is printed: whoever reads it may send a signal immediately.
  const stopped = untilSignal(io);
  const server = await listen(service.handler, { host, port, options }).catch(async (error) => {
    await service.close();
    throw error;
  });
  printTable(io, { settings, assembled, url: server.url, changed: changedSettings(command) });
  const workers = startWorkers(io, command, { settings, pdf: assembled.pdf });
  await stopped;
  writeLine(
    io.stderr,
    "Shutting down: the service finishes running requests and documents, and keeps waiting jobs for the next start. Send the signal again to stop immediately.",
  );
  service.handler.drain();
  // Load balancers have this long to notice the shutdown.
  await wait(settings.drain * 1000);
  const end = performance.now() + settings.grace * 1000;
  const left = (): number => Math.max(0, end - performance.now());
  const ended = workers.stop();
  await server.close({ graceMs: Math.min(REQUESTS_GRACE_MS, left()) });
  await service.close({ graceMs: left() });
  await ended;
}
