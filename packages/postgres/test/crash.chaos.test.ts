import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Load } from "./support/load.ts";
import { startPostgres } from "./support/postgres-server.ts";

const PROCESSES = { acceptors: 2, workers: 2 };

async function withFaults(count: number, fault: (load: Load, server: Server) => Promise<void>) {
  const server = await startPostgres();
  onTestFinished(() => server.destroy());
  const load = await Load.start(server.url, PROCESSES);
  onTestFinished(() => load.destroy());
  await sleep(2000);
  for (let done = 0; done < count; done++) {
    await fault(load, server);
    await sleep(500 + 1500 * Math.random());
  }
  return load.finish();
}

type Server = Awaited<ReturnType<typeof startPostgres>>;

test("a server that is killed and started again loses, doubles and tears nothing", async () => {
  const { violations, jobs } = await withFaults(4, async (_load, server) => {
    await server.kill();
    await sleep(300 * Math.random());
    await server.start();
  });
  expect(violations).toEqual([]);
  expect(jobs).toBeGreaterThan(100);
});

test("workers and request nodes that are killed lose, double and tear nothing", async () => {
  const { violations, jobs } = await withFaults(6, async (load) => {
    await load.kill(Math.random() < 0.6 ? "work" : "accept");
  });
  expect(violations).toEqual([]);
  expect(jobs).toBeGreaterThan(100);
});
