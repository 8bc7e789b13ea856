import { expect, test } from "vitest";
import { busyService, expectTheRest } from "./support/busy-service.ts";
import { descendantsOf, isAlive, until } from "./support/cli.ts";

test.skipIf(process.platform !== "linux")(
  "a service that receives two signals ends immediately, and the next start finishes its jobs",
  async () => {
    const { place, service, folder, batches } = await busyService();
    const processes = descendantsOf(service.process.pid);
    const ended = service.stop();
    await until("it reports the shutdown", () => service.stderr().includes("Shutting down"));
    // Without the second signal, the running upload would delay the end for seconds.
    service.process.kill("SIGTERM");
    const { code, signal } = await ended;
    expect([code, signal]).toEqual([130, null]);
    await until("all its processes have ended", () => !processes.some(isAlive));
    await expectTheRest(place, folder, batches);
  },
  240_000,
);
