/** A primary with a synchronous standby that takes over. The stores have one address, a proxy that follows the primary. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { DelayProxy, type OldConnections } from "./support/delay-proxy.ts";
import { Load } from "./support/load.ts";
import { freePort, type PostgresServer, startPostgres } from "./support/postgres-server.ts";

const SYNCHRONOUS = { synchronous_standby_names: "*", wal_retrieve_retry_interval: "200ms" };

async function startServer(standbyOf?: PostgresServer): Promise<PostgresServer> {
  const primary = standbyOf === undefined ? {} : { standbyOf: standbyOf.url };
  const server = await startPostgres({ settings: SYNCHRONOUS, ...primary });
  onTestFinished(() => server.destroy());
  return server;
}

/** An address that leads to a server, and can be moved. */
async function startAddress(first: PostgresServer) {
  const proxy = new DelayProxy();
  onTestFinished(() => proxy.close());
  const port = await freePort();
  const lead = (to: PostgresServer, old: OldConnections) =>
    proxy.lead(port, `127.0.0.1:${to.port}`, old);
  await lead(first, "close");
  return { url: `postgres://quire@127.0.0.1:${port}/postgres`, lead };
}

test("a failover to a synchronous standby loses, doubles and tears nothing", async () => {
  let primary = await startServer();
  let standby = await startServer(primary);
  const { url, lead } = await startAddress(primary);
  const load = await Load.start(url, { acceptors: 2, workers: 2 });
  onTestFinished(() => load.destroy());
  for (let done = 0; done < 2; done++) {
    await sleep(2000);
    await primary.kill();
    await standby.promote();
    await lead(standby, "keep");
    primary = standby;
    // Until it has a standby, the new primary acknowledges nothing.
    standby = await startServer(primary);
  }
  const { violations, jobs } = await load.finish();
  expect(violations).toEqual([]);
  expect(jobs).toBeGreaterThan(100);
}, 180_000);
