import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packChunk } from "@quire/contracts";
import { expect, onTestFinished, test, vi } from "vitest";
import { Database } from "../src/database/database.ts";
import { Inputs } from "../src/inputs.ts";

test("at most eight chunks are kept unpacked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = new Database(join(folder, "jobs.db"));
  onTestFinished(() => database.close());
  const inputs = new Inputs(database);
  for (let entry = 0; entry < 9; entry++) {
    const bytes = Buffer.from(`{"number":${entry}}`);
    const chunk = packChunk([{ encoding: "json", bytes, locale: null, timeZone: null }]);
    database.run("INSERT INTO chunk VALUES (1, ?, ?)", entry, chunk);
  }
  const read = (entry: number): string =>
    Buffer.from(inputs.read(1, entry)?.bytes ?? []).toString();
  for (let entry = 0; entry < 9; entry++) expect(read(entry)).toBe(`{"number":${entry}}`);
  const get = vi.spyOn(database, "get");
  for (let entry = 1; entry < 9; entry++) read(entry);
  expect(get).not.toHaveBeenCalled();
  expect(read(0)).toBe('{"number":0}');
  expect(get).toHaveBeenCalledOnce();
});
