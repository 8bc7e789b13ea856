import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { type RunningRadosgw, startRadosgw } from "./radosgw.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the processes of the tests ask for the S3 server that they share. */
    readonly radosgwDesk: string;
  }
}

/**
 * Starts nothing but a desk at which tests ask for the S3 server: the first one who asks has it started, and
 * it is stopped when all tests are done. Runs without tests of this package do not need it.
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
