/** A primary with a synchronous standby that takes over. The stores have one address, a proxy that follows the primary. */

import { setTimeout as sleep } from "node:timers/promises";
import { isQuireError, type NewJob } from "@quire/contracts";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { newBatch } from "../../contracts/test/support/new-batch.ts";
import { type PostgresStores, postgresStores } from "../src/index.ts";
import { DelayProxy, type OldConnections } from "./support/delay-proxy.ts";
import { Load } from "./support/load.ts";
import { freePort, type PostgresServer, startPostgres } from "./support/postgres-server.ts";

const SYNCHRONOUS = { synchronous_standby_names: "*", wal_retrieve_retry_interval: "200ms" };
const ONE: NewJob = {
  requestedName: "letter",
  fileName: "letter.docx",
  input: { encoding: "json", bytes: new Uint8Array([123, 125]), locale: null, timeZone: null },
  failure: null,
};

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

function open(url: string): PostgresStores {
  const stores = postgresStores({ url, connections: 2 });
  onTestFinished(() => stores.close());
  return stores;
}

function accept({ jobs }: PostgresStores, idempotencyKey: string) {
  const batch = newBatch({ idempotencyKey });
  return jobs.createBatch(batch, [ONE], () => "same", { isTaken: () => false });
}

/** Whether a commit waits for the standby. */
async function isCommitWaiting({ url }: PostgresServer): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  const sql = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  const { rows } = await client.query(sql);
  await client.end();
  return rows.length > 0;
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

test("a repeated request is not answered before the standby has its batch", async () => {
  const primary = await startServer();
  const standby = await startServer(primary);
  const stores = open(primary.url);
  await stores.tokens.list();
  await standby.stop();
  const lost = accept(stores, "key").catch((error: unknown) => error);
  while (!(await isCommitWaiting(primary))) await sleep(20);
  // After the crash, the batch is visible, but only on this server.
  await primary.kill();
  expect(await lost).toSatisfy(isQuireError);
  await primary.start();
  let isAnswered = false;
  const again = accept(stores, "key").finally(() => {
    isAnswered = true;
  });
  while (!isAnswered && !(await isCommitWaiting(primary))) await sleep(20);
  expect(isAnswered).toBe(false);
  await standby.start();
  expect((await again).created).toBe(false);
}, 120_000);

test("connections to a standby are not kept when the address leads to the primary again", async () => {
  const primary = await startServer();
  const standby = await startServer(primary);
  const { url, lead } = await startAddress(primary);
  const stores = open(url);
  expect((await accept(stores, "first")).created).toBe(true);
  await lead(standby, "close");
  // The connections that are closed may be noticed first.
  for (let message = ""; !message.includes("standby"); ) {
    message = String(await accept(stores, "second").catch((error: unknown) => error));
  }
  await lead(primary, "keep");
  expect((await accept(stores, "second")).created).toBe(true);
}, 120_000);

test("connections that hang are given up, and new ones are used", async () => {
  const primary = await startServer();
  await startServer(primary);
  const { url, lead } = await startAddress(primary);
  const stores = open(url);
  expect((await accept(stores, "first")).created).toBe(true);
  await lead(primary, "hang");
  const lost = await accept(stores, "second").catch((error: unknown) => error);
  expect(lost).toMatchObject({ code: "job_store_failed", retryable: true });
  expect((await accept(stores, "second")).created).toBe(true);
  // Less than two time limits.
}, 55_000);
