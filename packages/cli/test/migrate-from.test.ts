/** `quire migrate --from`: a service moves from its data folder to a database. */
import { expect, test } from "vitest";
import { makePlace } from "./support/cli.ts";
import { PASSWORD } from "./support/database-service.ts";
import { moveService, newDatabase } from "./support/moved-service.ts";

test("a service moves with its data, and continues on the database with the files in their folder", async () => {
  const place = await makePlace();
  await moveService(place, async () => place.path("data", "files"));
}, 120_000);

test("reports problems of the folder, the database and the options, and changes nothing", async () => {
  const place = await makePlace();
  const url = await newDatabase();
  const create = ["token", "create", "--user", "ann", "--enterprise", "acme", "--data", "data"];
  await place.quire(create);
  await place.quire(["migrate", "--database", url]);
  await place.quire(create.slice(0, -2), { env: { QUIRE_DATABASE: url } });
  for (const [args, message] of [
    [
      ["--from", "elsewhere", "--to", url],
      /elsewhere" is not the data folder of a service: it has no file quire\.db\. Name .* --from/,
    ],
    [
      ["--from", "data", "--to", url],
      /There are data in the database .* \(in token\)\. Use an empty database/,
    ],
    [
      ["--from", "data", "--to", "postgres://quire@127.0.0.1:1/quire"],
      /127\.0\.0\.1:1\/quire failed: nothing listens/,
    ],
    [["--from", "data", "--to", "mysql://quire@127.0.0.1/quire"], /must have the form postgres:/],
    [["--from", "data"], /--database/],
    [["--json", "--to", url], /--json needs --from/],
  ] as const) {
    const { code, stdout, stderr } = await place.quire(["migrate", ...args]);
    expect([args, code, stdout, stderr]).toEqual([args, 1, "", expect.stringMatching(message)]);
    expect(stderr).not.toContain(PASSWORD);
  }
  const { stdout } = await place.quire(["token", "list", "--data", "data"]);
  expect(stdout).toContain("ann");
});

test("reports the rows and the hash of each table with --json", async () => {
  const place = await makePlace();
  const create = ["token", "create", "--user", "ann", "--enterprise", "acme", "--data", "data"];
  await place.quire(create);
  const url = await newDatabase();
  const { code, stdout } = await place.quire(["migrate", "--from", "data", "--to", url, "--json"]);
  expect(code).toBe(0);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual({
    type: "table",
    name: "token",
    rows: 1,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const rows = lines.slice(0, -1).reduce((sum, line) => sum + line.rows, 0);
  expect(lines.at(-1)).toMatchObject({ type: "summary", moved: true, rows });
});
