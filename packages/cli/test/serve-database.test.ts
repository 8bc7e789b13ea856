/** A service whose stores are in a PostgreSQL database, and the commands of its operator. */
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { makePlace } from "./support/cli.ts";
import { makeDatabaseService, PASSWORD } from "./support/database-service.ts";
import { docx } from "./support/docx.ts";
import { batchOf, letters } from "./support/serve.ts";

describe("A service with a database", () => {
  test("shares everything with other processes, and has no data folder", async () => {
    const { place, database, env, node } = await makeDatabaseService();
    const [one, other] = [await node(), await node()];
    const create = ["token", "create", "--user", "ann", "--enterprise", "acme"];
    const { stdout, stderr } = await place.quire(create, { env });
    expect(stderr).toContain(`the database ${new URL(database.url).host}/test_`);
    const token = stdout.trim();
    const file = await one.upload("letter.docx", docx(["Dear {{name}}"]), { token });
    const folder = await other.folder("out", token);
    const body = batchOf(file, folder, letters(5));
    const { body: batch } = await other.ask("/2.0/docgen_batches", { body, token });
    expect((await one.finished(batch.id, token)).counts.completed).toBe(5);
    const items = await one.items(folder, token);
    expect(items.map(({ name }) => name)).toEqual(
      letters(5).map((entry) => `${entry.generated_file_name}.docx`),
    );
    const read = await other.ask(`/2.0/files/${items[0]?.id}/content`, { token });
    expect(read.status).toBe(200);
    const show = await place.quire(["tenant", "show", "acme"], { env });
    expect(JSON.parse(show.stdout).has).toMatchObject({ jobs: 5, waiting: 0 });
    expect((await readdir(place.folder)).sort()).toEqual(["files", "tmp"]);
    const outputs = [one.stderr(), one.stdout(), other.stderr(), stderr, show.stderr];
    expect(outputs.join("\n")).not.toContain(PASSWORD);
    expect(one.stderr()).toMatch(/^ +stores +the database 127\.0\.0\.1:\d+\/test_\w+$/m);
    expect(one.stderr()).toMatch(/database set \(environment\)/);
  }, 60_000);

  test("is not ready while the database is read-only, and neither are its workers", async () => {
    const { database, node, worker } = await makeDatabaseService();
    const [one, { url }] = [await node({ args: ["--no-work"] }), await worker("--only", "docx")];
    const ready = async () => [
      (await one.ask("/readyz")).status,
      (await fetch(`${url}/readyz`)).status,
    ];
    const name = new URL(database.url).pathname.slice(1);
    /** Sets the mode of all connections: existing ones are cut. */
    const set = async (mode: "on" | "off"): Promise<void> => {
      await database.query(
        `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${mode}; COMMIT;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
      );
    };
    expect(await ready()).toEqual([200, 200]);
    await set("on");
    expect(await ready()).toEqual([503, 503]);
    const { body } = await one.ask("/readyz");
    expect(body.message).toContain("job store");
    await set("off");
    await expect.poll(ready, { timeout: 30_000 }).toEqual([200, 200]);
  }, 60_000);

  test("does not start without a storage that all processes share", async () => {
    const { place, env } = await makeDatabaseService();
    const { code, stderr } = await place.quire(["serve", "--port", "0"], {
      env: { QUIRE_DATABASE: env.QUIRE_DATABASE },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining("needs --storage")]);
    expect(stderr).not.toContain(PASSWORD);
    expect(await readdir(place.folder)).toEqual(["tmp"]);
  });

  test("does not use a data folder if only the URL of the database is missing", async () => {
    const place = await makePlace();
    for (const args of [
      ["serve", "--port", "0", "--no-migrate"],
      ["serve", "--port", "0", "--direct-database", "postgres://quire@127.0.0.1/quire"],
      ["work", "--only", "docx", "--allow-data-loss"],
      ["token", "list", "--database-schema", "quire"],
    ]) {
      const { code, stderr } = await place.quire(args);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining("no --database (or")]);
    }
    expect(await readdir(place.folder)).toEqual(["tmp"]);
  });

  test("creates no tables with --no-migrate, and starts after quire migrate", async () => {
    const { place, env, node } = await makeDatabaseService();
    const noTables = expect.stringMatching(/no tables of Quire .* Run `quire migrate`/);
    for (const args of [
      ["serve", "--no-migrate", "--port", "0"],
      ["work", "--only", "docx", "--no-migrate"],
      ["token", "list"],
    ]) {
      const { code, stderr } = await place.quire(args, { env });
      expect([args, code, stderr]).toEqual([args, 1, noTables]);
    }
    const first = await place.quire(["migrate"], { env });
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("tables were created")]);
    const second = await place.quire(["migrate"], { env });
    expect(second.stderr).toContain("already up to date");
    const service = await node({ args: ["--no-migrate"] });
    expect((await service.ask("/readyz")).status).toBe(200);
    expect(first.stderr + second.stderr).not.toContain(PASSWORD);
  }, 60_000);

  test("is checked by quire doctor", async () => {
    const { place, env } = await makeDatabaseService();
    await place.quire(["migrate"], { env });
    // Checking LibreOffice takes seconds, so this test makes LibreOffice missing.
    const { stdout } = await place.quire(["doctor", "--soffice", "missing"], { env });
    expect(stdout).toMatch(
      /^ok {6}database 127\.0\.0\.1:\d+\/test_\w+: PostgreSQL \d+\.\d+.*, UTF8$/m,
    );
    expect(stdout).toMatch(/^ok {6}schema "quire": has the tables of this release$/m);
    expect(stdout).toMatch(/^ok {6}rights: /m);
    expect(stdout).not.toContain(PASSWORD);
    const wrong = { QUIRE_DATABASE: `postgres://quire:${PASSWORD}@127.0.0.1:1/quire` };
    const bad = await place.quire(["doctor", "--soffice", "missing"], { env: wrong });
    expect(bad.stdout).toMatch(
      /^PROBLEM The PostgreSQL database 127\.0\.0\.1:1\/quire failed: nothing listens/m,
    );
    expect(bad.code).toBe(1);
  });
});
