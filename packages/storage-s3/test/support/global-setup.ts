import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type RunningRadosgw, startRadosgw } from "./radosgw.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL at which test processes request the shared S3 server. */
    readonly radosgwDesk: string;
  }
}

/**
 * Starts only a small HTTP endpoint that starts the S3 server on the first request. The server is stopped when all
 * tests are done. Runs without tests of this package do not start it.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let started: Promise<RunningRadosgw> | null = null;
  const desk = createServer(async (_request, response) => {
    started ??= startRadosgw();
    try {
      const { stop: _stop, ...server } = await started;
      response.end(JSON.stringify(server));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  desk.listen(0, "127.0.0.1").unref();
  await once(desk, "listening");
  provide("radosgwDesk", `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return async () => {
    desk.close();
    desk.closeAllConnections();
    await started?.then(
      ({ stop }) => stop(),
      () => {},
    );
  };
}
