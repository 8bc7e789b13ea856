/** Servers that answer reads, but accept no writes: the depth of the queue, which `/readyz` reads, reports them. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type PostgresStores, postgresStores } from "../src/index.ts";
import { makePlace } from "./support/place.ts";
import { startPostgres } from "./support/postgres-server.ts";

const TOKEN = { id: "a", hash: "h", user: "ann", enterprise: "acme", scopes: [], createdAt: 1 };

function write({ tokens }: PostgresStores, id: string): Promise<void> {
  return tokens.add({ ...TOKEN, id, hash: id, expiresAt: null });
}

/** Returns the answer of the gauge in words. Connections that were cut fail once. */
function answer({ jobs }: PostgresStores): Promise<string> {
  return jobs.gauge.depth().then(
    ({ submitted }) => `${submitted} wait`,
    (error: Error) => error.message,
  );
}

afterEach(() => void vi.useRealTimers());

describe("The depth of the queue", () => {
  test("is rejected while the database is set to read-only", async () => {
    const place = await makePlace();
    onTestFinished(() => place.destroy());
    const name = new URL(place.url).pathname.slice(1);
    const stores = place.open();
    expect(await answer(stores)).toBe("0 wait");
    await place.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '${name}' AND pid <> pg_backend_pid()`;
    await place.query(others);
    await expect.poll(() => answer(stores)).toMatch(/the server is read-only, like a standby\./);
    await expect(stores.jobs.gauge.depth()).rejects.toMatchObject({
      code: "job_store_failed",
      retryable: true,
    });
    await place.query(
      `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = off; COMMIT`,
    );
    await place.query(others);
    await expect.poll(() => answer(stores)).toBe("0 wait");
  });

  test("is rejected for 15 seconds after a write found the disk full", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const place = await makePlace();
    onTestFinished(() => place.destroy());
    const stores = place.open();
    // What the server reports if it cannot extend a file.
    await place.query(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON quire.token EXECUTE FUNCTION full_disk()`);
    expect((await stores.jobs.gauge.depth()).submitted).toBe(0);
    const full = { code: "job_store_failed", message: expect.stringContaining("disk") };
    await expect(write(stores, "a")).rejects.toMatchObject(full);
    await expect(stores.jobs.gauge.depth()).rejects.toMatchObject({ ...full, retryable: true });
    await vi.advanceTimersByTimeAsync(14_000);
    await expect(stores.jobs.gauge.depth()).rejects.toMatchObject(full);
    await vi.advanceTimersByTimeAsync(2000);
    expect((await stores.jobs.gauge.depth()).submitted).toBe(0);
  });

  test("is rejected while the address leads to a standby, until it is promoted", async () => {
    const primary = await startPostgres();
    onTestFinished(() => primary.destroy());
    const address = await forwardedTo(primary.port);
    const url = Object.assign(new URL(primary.url), { port: String(address.port) }).href;
    const stores = postgresStores({ url });
    onTestFinished(() => stores.close());
    await write(stores, "a");
    const standby = await startPostgres({ standbyOf: primary.url });
    onTestFinished(() => standby.destroy());
    address.forward(standby.port);
    await expect.poll(() => answer(stores)).toMatch(/is a read-only standby/);
    await expect(write(stores, "b")).rejects.toThrow(/is a read-only standby/);
    await primary.kill();
    await standby.promote();
    await expect.poll(() => answer(stores), { timeout: 30_000 }).toBe("0 wait");
    await write(stores, "b");
  }, 90_000);
});

/** An address in front of a server, such as a name that follows the primary. */
async function forwardedTo(first: number) {
  let target = first;
  const sockets = new Set<{ destroy(): void }>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const proxy = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", cut);
    }
    client.pipe(server).pipe(client);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    /** Leads to another server, and cuts the connections to the one before. */
    forward(port: number): void {
      target = port;
      cut();
    },
  };
}
