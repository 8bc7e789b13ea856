import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../src/database/database.ts";
import { postgresFileCatalog } from "../src/service/postgres-file-catalog.ts";
import { postgresTemplateStore } from "../src/service/postgres-template-store.ts";
import { postgresTenantStore } from "../src/service/postgres-tenant-store.ts";
import { postgresTokenStore } from "../src/service/postgres-token-store.ts";
import { postgresWebhookStore } from "../src/service/postgres-webhook-store.ts";
import { makePlace } from "./support/place.ts";
import { ExplainingDatabase } from "./support/plans.ts";

/** Number of rows of each large table. */
const ROWS = 20_000;
/** Many rows for each table: a tenant with files in a folder, leftovers, marks, webhooks, deliveries that are not due. */
const FILL = `
  INSERT INTO quire.catalog_item (no, id, tenant, parent_no, type, name, folded, created_at, modified_at, versions, version_no)
    SELECT n + 1000000, 'id-' || n, 't', root.no, 1, 'name-' || n, 'name-' || n, 0, 0, 1, n + 1000000
    FROM generate_series(1, ${ROWS}) AS n, quire.catalog_item AS root WHERE tenant = 't' AND parent_no IS NULL;
  INSERT INTO quire.catalog_version (no, id, item_no, storage_id, storage_version, size, created_at)
    SELECT no, 'v', no, id, '1', 1, 0 FROM quire.catalog_item WHERE id LIKE 'id-%';
  INSERT INTO quire.catalog_place SELECT 1, id, tenant, no FROM quire.catalog_item WHERE id LIKE 'id-%';
  INSERT INTO quire.catalog_leftover (type, storage_id)
    SELECT n % 2, 'gone-' || n FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO quire.template (tenant, file_id, marked_at) SELECT 't', n, 0 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO quire.webhook (id, tenant, target_type, target_id, address, triggers, created_by, created_at)
    SELECT n, 't', 'file', n, '', '["A"]', '', 0 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO quire.delivery (id, webhook_no, body, give_up_at, due_at)
    SELECT n, n, CASE WHEN n % 2 = 0 THEN '' END, 1e13, 1e13 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO quire.token (id, hash, "user", enterprise, scopes, created_at)
    SELECT n, n, '', n, '[]', 0 FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO quire.audit (at, by_whom, action, tenant, counts)
    SELECT 0, '', '', '', '{}' FROM generate_series(1, ${ROWS});
  INSERT INTO quire.tenant_account SELECT 'u' || n, 0, NULL, '{}' FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO quire.service_use SELECT 'u' || n, 0 FROM generate_series(1, ${ROWS}) AS n;
`;

/** Performs each operation of the stores, except those that have to read a whole table. */
async function performAll(database: Database, round: number): Promise<void> {
  const version = { storageVersion: "1", size: 1, sha1: null, createdBy: null };
  const files = postgresFileCatalog(database);
  const root = await files.root("t", "out");
  const item = { parentId: root.id, createdBy: null };
  const add = (name: string) =>
    files.add("t", {
      ...item,
      type: "file",
      name,
      version: { ...version, storageId: `${name}${round}` },
    });
  const [a, b, c] = await Promise.all([add("a"), add("b"), add("c")]);
  const d = await files.add("t", { ...item, type: "folder", name: "d", storageId: `d${round}` });
  await files.find("t", { id: a.id });
  await files.find("t", { parentId: root.id, name: "a" });
  await files.find("t", { type: "file", storageId: `a${round}` });
  const { nextMarker } = await files.list("t", root.id, { limit: 10 });
  await files.list("t", root.id, { limit: 10, marker: nextMarker ?? undefined });
  await files.list("t", root.id, { limit: 10, offset: 100 });
  await files.addVersion("t", a.id, { ...version, storageId: `a${round}-2` });
  await files.versions("t", a.id);
  await files.versions("t", a.id, "none");
  await files.rename("t", a.id, "e");
  await files.remove("t", a.id);
  for (const { id } of [b, c, d]) await files.remove("t", id);
  await files.discarded();
  await files.use("t");
  await files.root("u", "u");
  await files.eraseTenant("u");

  const templates = postgresTemplateStore(database);
  await templates.mark({ tenant: "t", fileId: "f", markedBy: null });
  await templates.find("t", "f");
  const marks = await templates.list("t", { limit: 10 });
  await templates.list("t", { limit: 10, marker: marks.nextMarker ?? undefined });
  await templates.unmark("t", "f");
  await templates.eraseTenant("u");

  const tokens = postgresTokenStore(database);
  const token = { id: "i", hash: "h", user: "u", enterprise: "e", scopes: [] };
  await tokens.add({ ...token, createdAt: 1, expiresAt: null });
  await tokens.find("h");
  await tokens.remove("i");
  await tokens.eraseTenant("e");

  const tenants = postgresTenantStore(database);
  await tenants.change("t", {}, { at: 0, by: "", action: "", counts: {} });
  await tenants.find("t");
  await tenants.audit(10);

  const webhooks = postgresWebhookStore(database);
  const target = { type: "file", id: "f" } as const;
  const hook = { tenant: "t", target, address: "https://hooks.example", triggers: ["A"] };
  await webhooks.add({ ...hook, id: "w", createdBy: "u", createdAt: 1 });
  await webhooks.find("t", "w");
  await webhooks.list("t", { limit: 10 });
  await webhooks.update("t", "w", { address: "https://new.example" });
  await webhooks.wanting("t", "A", [target]);
  await webhooks.enqueue([{ id: "d", webhookId: "w", body: "{}", giveUpAt: 1 }]);
  await webhooks.take(10, 1000);
  await webhooks.settle("d", { type: "again", at: 1 });
  await webhooks.settle("d", { type: "done" });
  await webhooks.use("t");
  await webhooks.remove("t", "w");
  await webhooks.eraseTenant("u");

  await database.all("SELECT quire.catalog_take_leftovers(0, 0, 1)");
  await database.all("SELECT quire.catalog_take_leftovers(0, 1e9::bigint, 1)");
  await database.all(
    "SELECT quire.catalog_give_back('{}', ARRAY(SELECT generate_series(1, 50)), 1)",
  );
}

test.for(["as soon as the tables are filled", "with statistics"])(
  "no operation of a service reads a whole table, %s",
  { timeout: 60_000 },
  async (when) => {
    const place = await makePlace();
    const database = await ExplainingDatabase.connect(place.url);
    onTestFinished(async () => {
      await database.close();
      await place.destroy();
    });
    // PostgreSQL keeps the plans of functions that have run several times.
    for (let round = 0; round < 7; round++) await performAll(database, round);
    await place.query(FILL);
    if (when === "with statistics") await place.query("ANALYZE");
    database.forget();
    await performAll(database, 7);
    expect(database.count).toBeGreaterThan(100);
    expect(database.largeReads()).toEqual([]);
  },
);
