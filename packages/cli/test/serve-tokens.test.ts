/** `quire token` with a running service, and the tokens on the disk. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { serve } from "./support/serve.ts";

/** Creates a token, and returns it with its id. */
async function create(
  place: Place,
  ...args: string[]
): Promise<{ readonly token: string; readonly id: string }> {
  const all = ["token", "create", "--data", "data", "--user", "ann", "--enterprise", "acme"];
  const { code, stdout, stderr } = await place.quire([...all, ...args]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^quire_[\w-]{43}\n$/)]);
  const [id = ""] = /[0-9a-f-]{36}/.exec(stderr) ?? [];
  return { token: stdout.trim(), id };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("quire token", () => {
  test("creates tokens that work immediately and until they are revoked, in a running service", async () => {
    const place = await makePlace();
    const service = await serve(place, { args: ["--no-pdf"] });
    const { token, id } = await create(place);
    const reader = await create(place, "--scopes", "root_readonly", "--expires-days", "1");
    const statusOf = async (token: string, method = "GET") => {
      const body = method === "GET" ? undefined : { name: "new", parent: { id: "0" } };
      const path = method === "GET" ? "/2.0/folders/0" : "/2.0/folders";
      return (await service.ask(path, { token, method, body })).status;
    };
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(token, "POST")).toBe(201);
    expect(await statusOf(reader.token)).toBe(200);
    expect(await statusOf(reader.token, "POST")).toBe(403);

    const listed = await place.quire(["token", "list", "--data", "data"]);
    expect(listed.stdout.split("\n").filter(Boolean)).toEqual([
      expect.stringMatching(
        new RegExp(`^${reader.id}  ann of acme  root_readonly  since \\S+, expires \\S+$`),
      ),
      expect.stringMatching(new RegExp(`^${id}  ann of acme  .*root_readwrite.*, never expires$`)),
    ]);
    expect(listed.stdout).not.toContain("quire_");

    const revoked = await place.quire(["token", "revoke", id, "--data", "data"]);
    expect(revoked.code).toBe(0);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(reader.token)).toBe(200);
    const again = await place.quire(["token", "revoke", id, "--data", "data"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("quire token list")]);
    // If the caller passes the token instead of its id, the message does not repeat the token.
    const wrong = await place.quire(["token", "revoke", token, "--data", "data"]);
    expect([wrong.code, wrong.stderr.includes(token)]).toEqual([1, false]);
    const log = service.stdout() + service.stderr();
    expect(log).not.toContain(token);
  }, 60_000);

  test("stores nothing from which a token can be derived, and other users cannot read its files", async () => {
    const place = await makePlace();
    const { token } = await create(place);
    const service = await serve(place, { args: ["--no-pdf"] });
    expect((await service.ask("/2.0/folders/0", { token })).status).toBe(200);
    await service.upload("mine.docx", new Uint8Array([1, 2, 3]), { token });
    const files = await filesBelow(place.path("data"));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const bytes = await readFile(file);
      expect([file, bytes.includes(token), bytes.includes(token.slice(6))]).toEqual([
        file,
        false,
        false,
      ]);
      const isDatabase = /quire\.db[^/]*$/.test(file);
      if (isDatabase) expect([file, (await stat(file)).mode & 0o777]).toEqual([file, 0o600]);
    }
    for (const folder of ["data", "data/files"]) {
      expect([folder, (await stat(place.path(folder))).mode & 0o777]).toEqual([folder, 0o700]);
    }
  }, 60_000);

  test("rejects invalid options, and only create makes a data folder", async () => {
    const place = await makePlace();
    const owner = ["--user", "ann", "--enterprise", "acme"];
    const scopes = await place.quire(["token", "create", ...owner, "--scopes", "all"]);
    expect([scopes.code, scopes.stderr]).toEqual([1, expect.stringContaining("root_readonly")]);
    const days = await place.quire(["token", "create", ...owner, "--expires-days", "0"]);
    expect([days.code, days.stderr]).toEqual([
      1,
      expect.stringContaining("a whole number of days"),
    ]);
    for (const args of [["list"], ["revoke", "id"]]) {
      const asked = await place.quire(["token", ...args, "--data", "typo"]);
      expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining("with --data")]);
    }
    expect(await place.names(".")).not.toContain("typo");
  }, 60_000);

  test("rejects expired tokens, and lists them as expired", async () => {
    const place = await makePlace();
    // Created two days ago by the clock of this process.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 2 * 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const args = ["token", "create", "--data", "data", "--user", "a", "--enterprise", "b"];
    const made = await place.quire([...args, "--expires-days", "1"]);
    vi.useRealTimers();
    expect(made.code).toBe(0);
    const service = await serve(place, { args: ["--no-pdf"] });
    const { status, headers } = await service.ask("/2.0/folders/0", { token: made.stdout.trim() });
    expect([status, headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    const listed = await place.quire(["token", "list", "--data", "data"]);
    expect(listed.stdout).toMatch(/, expired \S+$/m);
  }, 60_000);
});
