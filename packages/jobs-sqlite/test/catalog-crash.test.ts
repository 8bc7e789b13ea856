import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStores } from "../src/index.ts";

const CHILD = fileURLToPath(new URL("./support/catalog-process.ts", import.meta.url));

test("a killed process leaves every file whose addition was confirmed, and no partial entry", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-stores-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "quire.db");
  const told: string[] = [];
  for (let round = 0; round < 3; round++) told.push(...(await killedWhileAdding(path, `${round}`)));
  expect(told.length).toBeGreaterThan(60);

  const { files, close } = sqliteStores({ path });
  const root = await files.root("t", "out");
  for (const line of told) {
    const [id = "", name = "", versions = ""] = line.split(" ");
    const file = await files.find("t", { parentId: root.id, name });
    expect(file).toMatchObject({ id, type: "file" });
    const all = await files.versions("t", id);
    expect(all.length).toBeGreaterThanOrEqual(Number(versions));
    expect(file?.type === "file" && file.version).toEqual(all[0]);
    expect(file?.type === "file" && file.versions).toBe(all.length);
  }
  const { total } = await files.list("t", root.id, { limit: 1 });
  await close();
  const file = new DatabaseSync(path);
  const count = (sql: string) => Object.values(file.prepare(sql).get() ?? {})[0];
  expect(count("SELECT count(*) FROM catalog_item WHERE type = 1")).toBe(total);
  expect(count("SELECT count(*) FROM catalog_version")).toBe(
    count("SELECT count(*) FROM catalog_place WHERE type = 1"),
  );
  expect(count("PRAGMA integrity_check")).toBe("ok");
  file.close();
}, 120_000);

/** Returns the lines of a process that adds files until it is killed. */
async function killedWhileAdding(path: string, prefix: string): Promise<string[]> {
  const child = spawn(process.execPath, ["--no-warnings", CHILD, path, prefix], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const ended = once(child, "close");
  for (const end = Date.now() + 30_000; printed.split("\n").length < 40 && Date.now() < end; ) {
    await new Promise((done) => setTimeout(done, 5));
  }
  child.kill("SIGKILL");
  await ended;
  return printed.split("\n").slice(0, -1);
}
