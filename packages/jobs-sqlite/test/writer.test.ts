import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
