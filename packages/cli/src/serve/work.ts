import { isQuireError, QuireError } from "@quire/core/host";
import { createServiceWorker, type ServiceWorker } from "@quire/service";
import type { Command } from "commander";
import { requireSoffice } from "../files/soffice.ts";
import { type Io, writeLine } from "../terminal/io.ts";
import { limitHeap } from "./limit-heap.ts";
import { listen, untilSignal } from "./listen.ts";
import { engineOf, withParts } from "./parts.ts";
import { printRows } from "./print-table.ts";
import { changedSettings, settingsOf, type WorkSettings } from "./settings.ts";
import { openStores, placeInWords } from "./stores.ts";

/** Makes documents until a signal arrives, then shuts down gracefully. */
export async function work(io: Io, command: Command): Promise<void> {
  const serviceEnds = io.parentEnds?.() ?? new Promise<void>(() => {});
  limitHeap();
  const settings = await settingsOf<WorkSettings>(io, command);
  const { worker, place } = await assembleWorker(io, settings);
  const { healthHost: host, healthPort: port, only } = settings;
  const options = { host: "--health-host", port: "--health-port" };
  // The handlers come before the address is printed: whoever reads it may send a signal immediately.
  const stopped = untilSignal(io);
  const server = await listen(worker.handler, { host, port, options }).catch(async (error) => {
    await worker.close();
    throw error;
  });
  const changed = changedSettings(command);
  printRows(io, [
    ["makes", only ?? "docx, pdf"],
    ["for the service of", placeInWords(io, settings)],
    ["files", place],
    ["health", `${server.url}/readyz`],
    ["settings", changed.length === 0 ? "defaults" : changed.join(", ")],
  ]);
  await Promise.race([stopped, serviceEnds]);
  writeLine(
    io.stderr,
    "Shutting down: the worker finishes the documents in progress, and gives the other jobs back. Send the signal again to stop immediately.",
  );
  worker.drain();
  await worker.close({ graceMs: settings.grace * 1000 });
  await server.close({ graceMs: 0 });
}

interface AssembledWorker {
  readonly worker: ServiceWorker;
  /** The folder of the files, or the URL of their bucket. */
  readonly place: string;
}

async function assembleWorker(io: Io, settings: WorkSettings): Promise<AssembledWorker> {
  const { only, soffice } = settings;
  const makesPdf = only !== "docx";
  // A worker without LibreOffice would silently leave the PDFs to others.
  if (makesPdf) await requireSoffice(io, soffice).catch(withoutOffice);
  const stores = await openStores(io, settings);
  return withParts(io, settings, { stores, makesPdf }, async (parts, place) => {
    const engine = { ...(await engineOf(io, settings)), work: only ?? true };
    return { worker: await createServiceWorker({ ...parts, engine }), place };
  });
}

function withoutOffice(error: unknown): never {
  if (!isQuireError(error)) throw error;
  const message = `${error.message} A worker with --only docx needs no LibreOffice.`;
  throw new QuireError(error.code, message, { cause: error });
}
