import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { sqliteJobStore } from "../src/index.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "quire-jobs-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function refusal(path: string): unknown {
  try {
    return sqliteJobStore({ path });
  } catch (error) {
    return error;
  }
}

describe("sqliteJobStore rejects", () => {
  test.for(["", ":memory:"])("a path that does not name a file: %j", (path) => {
    expect(refusal(path)).toMatchObject({ code: "invalid_request" });
  });

  test("an unknown option, and options without a path", () => {
    const open = (options: object) => () => sqliteJobStore(options as { path: string });
    expect(open({ pth: "a.db" })).toThrow(/no option "pth" \(did you mean "path"\?\)/);
    expect(open({})).toThrow(/must be the path of a file/);
  });

  test("a file that is not a database, and does not change it", async () => {
    const path = join(await folder(), "letter.txt");
    await writeFile(
      path,
      "Dear Ann, this is a letter and no database, however long it may be.".repeat(20),
    );
    expect(refusal(path)).toMatchObject({
      code: "job_store_failed",
      message: expect.stringContaining("it is not a SQLite file"),
    });
  });

  test("the database of another program", async () => {
    const path = join(await folder(), "other.db");
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE letters (name TEXT)");
    other.close();
    expect(refusal(path)).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("not a Quire job store"),
    });
  });

  test("a file from a newer version", async () => {
    const path = join(await folder(), "jobs.db");
    await sqliteJobStore({ path }).close();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 1000");
    newer.close();
    expect(refusal(path)).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("newer version"),
    });
  });

  test("a missing folder, and a folder in place of the file", async () => {
    const path = await folder();
    for (const wrong of [join(path, "no", "jobs.db"), path]) {
      expect(refusal(wrong)).toMatchObject({
        code: "job_store_failed",
        message: expect.stringContaining("it cannot be opened"),
      });
    }
  });
});
