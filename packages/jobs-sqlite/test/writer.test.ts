import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../src/database/database.ts";
import { Writer } from "../src/database/writer.ts";

/** Returns a writer that records its steps in order. `duringSync` runs once, when the first sync begins. */
async function makeWriter(duringSync: (writer: Writer, steps: string[]) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), "quire-writer-"));
  const database = new Database(join(folder, "jobs.db"));
  onTestFinished(async () => {
    database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const writer = new Writer(database);
  const steps: string[] = [];
  const [commit, sync] = [database.commit.bind(database), database.sync.bind(database)];
  vi.spyOn(database, "commit").mockImplementation((body) => {
    steps.push("commit");
    return commit(body);
  });
  vi.spyOn(database, "sync")
    .mockImplementation(() => {
      steps.push("sync");
      return sync();
    })
    .mockImplementationOnce(async () => {
      steps.push("sync");
      duringSync(writer, steps);
      await sync();
    });
  return { database, writer, steps };
}

test("writes of the same turn share a transaction and a sync", async () => {
  const { writer, steps } = await makeWriter();
  await Promise.all([1, 2, 3].map((no) => writer.write(() => steps.push(`write ${no}`))));
  expect(steps).toEqual(["commit", "write 1", "write 2", "write 3", "sync"]);
});

test("writes that arrive during a sync share the next one", async () => {
  const { writer, steps } = await makeWriter((during, all) => {
    for (const no of [2, 3]) void during.write(() => all.push(`write ${no}`));
  });
  await writer.write(() => steps.push("write 1"));
  await writer.settled();
  const first = ["commit", "write 1", "sync"];
  expect(steps).toEqual([...first, "commit", "write 2", "write 3", "sync"]);
});

test("what follows a durable write happens after its sync, and not at all after a rollback", async () => {
  const { database, writer, steps } = await makeWriter();
  await writer.write(() => database.afterSync(() => steps.push("after")));
  expect(steps).toEqual(["commit", "sync", "after"]);
  const rolledBack = writer.write(() => {
    database.afterSync(() => steps.push("never"));
    throw new Error("broken");
  });
  await expect(rolledBack).rejects.toThrow(/broken|SQLite failed/);
  await writer.write(() => {});
  expect(steps).not.toContain("never");
});

test("a write whose sync fails is rejected", async () => {
  const { writer } = await makeWriter(() => {
    throw new Error("no disk");
  });
  await expect(writer.write(() => "written")).rejects.toThrow("no disk");
});

test("a long write has the event loop to itself", async () => {
  const { writer, steps } = await makeWriter();
  const writes = [1, 2, 3].map((no) =>
    writer.write(() => steps.push(`write ${no}`), { isLong: true }),
  );
  setImmediate(() => setImmediate(() => steps.push("other work")));
  await Promise.all(writes);
  expect(steps.slice(0, 3)).toEqual(["commit", "write 1", "sync"]);
  expect(steps.indexOf("other work")).toBeLessThan(steps.indexOf("write 3"));
});

test("a write waits for another process without blocking the event loop", async () => {
  const { database, writer } = await makeWriter();
  const other = new DatabaseSync(database.path);
  other.exec("BEGIN IMMEDIATE");
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  let isWritten = false;
  const written = writer.write(() => {
    isWritten = true;
  });
  await sleep(1500);
  expect(isWritten).toBe(false);
  expect(longest).toBeLessThan(700);
  other.exec("COMMIT");
  await written;
  clearInterval(watch);
  other.close();
});

test("a write is rejected if another process is stopped while it writes", async () => {
  const { database, writer } = await makeWriter();
  const other = new DatabaseSync(database.path);
  other.exec("BEGIN IMMEDIATE");
  const written = writer.write(() => {});
  await expect(written).rejects.toThrow(/another process has kept it locked/);
  await expect(written).rejects.toMatchObject({ code: "job_store_failed", retryable: true });
  other.exec("ROLLBACK");
  await writer.write(() => {});
  other.close();
});
