import { expect, test } from "vitest";
import { busyService, expectTheRest } from "./support/busy-service.ts";
import { descendantsOf, isAlive, until } from "./support/cli.ts";

test.skipIf(process.platform !== "linux")(
  "a service that gets two signals ends at once, and the next start does what is left",
  async () => {
    const { place, service, folder, batches } = await busyService();
    const processes = descendantsOf(service.process.pid);
    const ended = service.stop();
    await until("it says so", () => service.stderr().includes("Shutting down"));
    // The upload that is under way would keep it for seconds.
    service.process.kill("SIGTERM");
    const { code, signal } = await ended;
    expect([code, signal]).toEqual([130, null]);
    await until("nothing of it is left", () => !processes.some(isAlive));
    await expectTheRest(place, folder, batches);
  },
  240_000,
);
