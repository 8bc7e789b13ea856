import { setTimeout as wait } from "node:timers/promises";
import { QuireError } from "@quire/core/host";
import { type HttpService, type RunningServer, startServer } from "@quire/service";
import type { Command } from "commander";
import { type Io, writeLine } from "../terminal/io.ts";
import { onStop } from "../terminal/stop-signals.ts";
import { assemble } from "./assemble.ts";
import { limitHeap } from "./limit-heap.ts";
import { printTable } from "./print-table.ts";
import { changedSettings, type Settings, settingsOf } from "./settings.ts";

/** Maximum time for running requests at shutdown. The rest of the grace period is for documents. */
const REQUESTS_GRACE_MS = 10_000;

/** Serves until a signal arrives, then shuts down gracefully. */
export async function serve(io: Io, command: Command): Promise<void> {
  limitHeap();
  const settings = await settingsOf(io, command);
  const assembled = await assemble(io, settings);
  const { service } = assembled;
  const server = await listen(service, settings);
  printTable(io, { settings, assembled, url: server.url, changed: changedSettings(command) });
  await untilSignal(io);
  writeLine(
    io.stderr,
    "Shutting down: the service finishes running requests and documents, and keeps waiting jobs for the next start. Send the signal again to stop immediately.",
  );
  service.handler.drain();
  // Load balancers have this long to notice the shutdown.
  await wait(settings.drain * 1000);
  const end = performance.now() + settings.grace * 1000;
  const left = (): number => Math.max(0, end - performance.now());
  await server.close({ graceMs: Math.min(REQUESTS_GRACE_MS, left()) });
  await service.close({ graceMs: left() });
}

async function listen(service: HttpService, { host, port }: Settings): Promise<RunningServer> {
  try {
    return await startServer(service.handler, { host, port });
  } catch (cause) {
    await service.close();
    const fix = LISTENING[(cause as NodeJS.ErrnoException).code ?? ""];
    if (fix === undefined) throw cause;
    const address = JSON.stringify(`${host}:${port}`);
    throw new QuireError("unavailable", `The service cannot listen on ${address}: ${fix}`, {
      cause,
    });
  }
}

/** Why the service cannot listen on an address, by system error code. */
const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE:
    "another program uses it already. Stop that program, or choose another port with --port (0 for any free port).",
  EACCES: "this user has no permission. Choose a port of 1024 or higher with --port.",
  EADDRNOTAVAIL:
    "this machine does not have that address. Correct --host; 0.0.0.0 means all addresses.",
  ENOTFOUND: "there is no host with that name. Correct --host; 0.0.0.0 means all addresses.",
};

/** Resolves on the first stop signal. The second one ends the process immediately. */
function untilSignal(io: Io): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    onStop(io, (exitCode) => {
      if (stopping) io.exit(exitCode);
      stopping = true;
      resolve();
    });
  });
}
