import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../src/database/database.ts";
import { Writer } from "../src/database/writer.ts";
import { depthOf } from "../src/gauge.ts";
import { sqliteFileCatalog } from "../src/service/sqlite-file-catalog.ts";
import { sqliteTemplateStore } from "../src/service/sqlite-template-store.ts";
import { sqliteTokenStore } from "../src/service/sqlite-token-store.ts";
import { sqliteWebhookStore } from "../src/service/sqlite-webhook-store.ts";

/** A database that records its queries. */
class ListeningDatabase extends Database {
  readonly heard = new Set<string>();

  override all(sql: string, ...values: Parameters<Database["all"]>[1][]) {
    this.heard.add(sql);
    return super.all(sql, ...values);
  }

  override get(sql: string, ...values: Parameters<Database["get"]>[1][]) {
    this.heard.add(sql);
    return super.get(sql, ...values);
  }

  override run(sql: string, ...values: Parameters<Database["run"]>[1][]) {
    this.heard.add(sql);
    return super.run(sql, ...values);
  }
}

test("no query of a service scans a whole table, except the list of all tokens", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-stores-"));
  const path = join(folder, "quire.db");
  const database = new ListeningDatabase(path);
  onTestFinished(async () => {
    database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const writer = new Writer(database);
  const version = { storageVersion: "1", size: 1, sha1: null, createdBy: null };

  const files = sqliteFileCatalog(database, writer);
  const root = await files.root("t", "out");
  const item = { parentId: root.id, createdBy: null };
  const add = (name: string) =>
    files.add("t", { ...item, type: "file", name, version: { ...version, storageId: name } });
  const [a, b] = [await add("a"), await add("b")];
  await files.add("t", { ...item, type: "folder", name: "d", storageId: "d" });
  await files.find("t", { parentId: root.id, name: "a" });
  await files.find("t", { type: "file", storageId: "a" });
  const { nextMarker } = await files.list("t", root.id, { limit: 1 });
  await files.list("t", root.id, { limit: 1, marker: nextMarker ?? "" });
  await files.list("t", root.id, { limit: 1, offset: 1 });
  await files.addVersion("t", a.id, { ...version, storageId: "a2" });
  await files.versions("t", a.id);
  await files.versions("t", a.id, "none");
  await files.rename("t", a.id, "c");
  await files.remove("t", a.id);
  await files.remove("t", b.id);
  await files.sweep(async ({ storageId }) => {
    if (storageId === "b") throw new Error("Not now.");
  });
  await files.discarded();

  const templates = sqliteTemplateStore(database, writer);
  await templates.mark({ tenant: "t", fileId: "f", markedBy: null });
  await templates.list("t", { limit: 1 });
  await templates.unmark("t", "f");

  const tokens = sqliteTokenStore(database, writer);
  const token = { id: "i", hash: "h", user: "u", enterprise: "e", scopes: [] };
  await tokens.add({ ...token, createdAt: 1, expiresAt: null });
  await tokens.find("h");
  await tokens.remove("i");

  const webhooks = sqliteWebhookStore(database, writer);
  const target = { type: "file", id: "f" } as const;
  const hook = { tenant: "t", target, address: "https://hooks.example", triggers: ["A"] };
  await webhooks.add({ ...hook, id: "w", createdBy: "u", createdAt: 1 });
  await webhooks.list("t", { limit: 1 });
  await webhooks.update("t", "w", { address: "https://new.example" });
  await webhooks.wanting("t", "A", [target]);
  await webhooks.enqueue([{ id: "d", webhookId: "w", body: "{}", giveUpAt: 1 }]);
  await webhooks.take(10, 1000);
  await webhooks.settle("d", { type: "again", at: 1 });
  await webhooks.settle("d", { type: "done" });
  await webhooks.remove("t", "w");

  depthOf(database, 1);

  const file = new DatabaseSync(path);
  const plans = [...database.heard].map((sql) => ({
    sql,
    plan: file
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  }));
  file.close();
  expect(plans.length).toBeGreaterThan(40);
  // The index of running jobs contains nothing else, so a scan of it is fine.
  const isWhole = (step: string) =>
    /^SCAN (?!CONSTANT ROW)/.test(step) && !step.endsWith(" job_of_worker");
  const bad = plans.filter(({ plan }) =>
    plan.some((step) => isWhole(step) || step.includes("TEMP B-TREE")),
  );
  expect(bad).toEqual([]);
});
