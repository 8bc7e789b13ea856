import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL at which test processes request the shared PostgreSQL server. */
    readonly postgresDesk: string;
  }
}

/**
 * Starts only a small HTTP endpoint that starts the PostgreSQL server on the first request. The server is stopped when
 * all tests are done. Runs without tests of this package do not start it.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | null = null;
  const desk = createServer(async (_request, response) => {
    // Tests that kill a server start another server.
    started ??= startPostgres({ fsync: false });
    try {
      response.end((await started).url);
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  desk.listen(0, "127.0.0.1").unref();
  await once(desk, "listening");
  provide("postgresDesk", `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return async () => {
    desk.close();
    desk.closeAllConnections();
    await started?.then(
      (server) => server.destroy(),
      () => {},
    );
  };
}
