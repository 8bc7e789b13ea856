/** Servers that cannot hold the stores. Each message names the problem and its remedy. */
import { describe, expect, onTestFinished, test } from "vitest";
import { diagnosePostgres, postgresStores } from "../src/index.ts";
import { makeEmptyPlace, sharedServer } from "./support/place.ts";
import { startPostgres } from "./support/postgres-server.ts";

const PASSWORD = "correct-horse-7";

/** Returns the error of the first use, and the problems that a diagnosis reports. */
async function refusal(options: Parameters<typeof postgresStores>[0]) {
  const stores = postgresStores(options);
  onTestFinished(() => stores.close());
  const error: unknown = await stores.tokens.list().catch((reason: unknown) => reason);
  const { url, directUrl } = options;
  const place = directUrl === undefined ? { url } : { url, directUrl };
  const problems = (await diagnosePostgres(place)).filter(({ level }) => level === "problem");
  return { error: error as Error & { code: string; retryable: boolean }, problems };
}

describe("Stores in a database that does not work", () => {
  test.each([
    ["mysql://quire@127.0.0.1/quire", /must have the form postgres:/],
    [`postgres://quire:${PASSWORD}#x@db.example/quire`, /Percent-encode special characters/],
    [`postgres://quire:12/${PASSWORD}@db.example/quire`, /Percent-encode special characters/],
    [
      `postgres://quire:${PASSWORD}@db.example:5432,db2.example/quire`,
      /names several hosts\. Use one/,
    ],
  ])("reject the URL %s without quoting it", (url, message) => {
    let reason = "";
    try {
      postgresStores({ url });
    } catch (error) {
      reason = String(error);
    }
    expect(reason).toMatch(message);
    expect(reason).not.toMatch(/correct-horse|db\.example/);
  });

  test("report a server that does not run, and try again", async () => {
    const { error, problems } = await refusal({
      url: `postgres://quire:${PASSWORD}@127.0.0.1:1/x`,
    });
    expect(error.message).toBe(
      "The PostgreSQL database 127.0.0.1:1/x failed: nothing listens at this address. Start the server, or correct the URL.",
    );
    expect([error.code, error.retryable]).toEqual(["job_store_failed", true]);
    expect(problems.map(({ what }) => what)).toEqual([error.message]);
  });

  test("report an unknown host, and an unknown database", async () => {
    const unknown = await refusal({ url: "postgres://quire@host.invalid/x?sslmode=disable" });
    expect(unknown.error.message).toMatch(/the host is unknown|name server/);
    const url = Object.assign(new URL(await sharedServer()), { pathname: "/nothing" }).href;
    const { error } = await refusal({ url });
    expect(error.message).toMatch(/the database does not exist\. Create it with `createdb`\.$/);
  });

  test("report a server without TLS if the URL asks for it", async () => {
    const { port } = new URL(await sharedServer());
    const url = `postgres://quire@127.0.0.1:${port}/postgres?sslmode=require`;
    const { error } = await refusal({ url });
    expect(error.message).toMatch(
      /does not support TLS.*Turn on ssl on the server, or add \?sslmode=disable/,
    );
  });

  test("report commits that are not durable, unless that is accepted", async () => {
    const { url, query, open, destroy } = await makeEmptyPlace();
    onTestFinished(() => destroy());
    await query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
    const { error, problems } = await refusal({ url });
    expect(error.message).toMatch(/synchronous_commit = off.*\(--allow-data-loss\)/);
    expect(problems.map(({ what }) => what)).toContain(error.message);
    expect(await open({ allowDataLoss: true }).tokens.list()).toEqual([]);
  });

  test("report a wrong password, a standby, and missing synchronous standbys", async () => {
    const primary = await startPostgres({ password: PASSWORD });
    onTestFinished(() => primary.destroy());
    const wrong = await refusal({ url: primary.url.replace(PASSWORD, "wrong-horse") });
    expect(wrong.error.message).toMatch(/the password is wrong\. Correct the user or the password/);
    expect(JSON.stringify(wrong)).not.toMatch(/wrong-horse|correct-horse/);
    const standby = await startPostgres({ standbyOf: primary.url, password: PASSWORD });
    onTestFinished(() => standby.destroy());
    const { error, problems } = await refusal({ url: standby.url });
    expect(error.message).toMatch(/is a read-only standby\. Connect to the primary/);
    expect(problems.map(({ what }) => what)).toEqual([error.message]);
    const unsafe = await refusal({ url: primary.url });
    expect(unsafe.error.message).toMatch(/has standbys, but no synchronous one/);
    const accepted = postgresStores({ url: primary.url, allowDataLoss: true });
    expect(await accepted.tokens.list()).toEqual([]);
    await accepted.close();
  }, 90_000);
});
