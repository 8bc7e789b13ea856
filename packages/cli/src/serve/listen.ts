import { QuireError } from "@quire/core/host";
import { type RunningServer, startServer } from "@quire/service";
import type { Io } from "../terminal/io.ts";
import { onStop } from "../terminal/stop-signals.ts";

/** Where a command listens, and the names of the options that say so. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  readonly options: { readonly host: string; readonly port: string };
}

/** Listens for requests. Rejects `unavailable` if the address cannot be used, and says which option to change. */
export async function listen(
  handler: Parameters<typeof startServer>[0],
  { host, port, options }: ListenPlace,
): Promise<RunningServer> {
  try {
    return await startServer(handler, { host, port });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    const fix = LISTENING[code]?.(options);
    if (fix === undefined) throw cause;
    const address = JSON.stringify(`${host}:${port}`);
    throw new QuireError("unavailable", `The service cannot listen on ${address}: ${fix}`, {
      cause,
    });
  }
}

/** Why the command cannot listen on an address, by system error code. */
const LISTENING: Readonly<Record<string, (options: ListenPlace["options"]) => string>> = {
  EADDRINUSE: ({ port }) =>
    `another program uses it already. Stop that program, or choose another port with ${port} (0 for any free port).`,
  EACCES: ({ port }) =>
    `this user has no permission. Choose a port of 1024 or higher with ${port}.`,
  EADDRNOTAVAIL: ({ host }) =>
    `this machine does not have that address. Correct ${host}; 0.0.0.0 means all addresses.`,
  ENOTFOUND: ({ host }) =>
    `there is no host with that name. Correct ${host}; 0.0.0.0 means all addresses.`,
};

/** Resolves on the first stop signal. The second one ends the process immediately. */
export function untilSignal(io: Io): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    onStop(io, (exitCode) => {
      if (stopping) io.exit(exitCode);
      stopping = true;
      resolve();
    });
  });
}
