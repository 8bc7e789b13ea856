/** `quire tenant` with a running service. */
import { access } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, type Place } from "./support/cli.ts";
import { serve } from "./support/serve.ts";

/** Runs a command, and returns the line that it prints. */
async function tenant(place: Place, ...args: string[]) {
  const { code, stdout, stderr } = await place.quire(["tenant", ...args, "--data", "data"]);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

test("an enterprise is suspended, resumed, cancelled and erased, each with one command and one line", async () => {
  const place = await makePlace();
  const service = await serve(place, { args: ["--no-pdf"] });
  const args = ["token", "create", "--data", "data", "--user", "ann", "--enterprise", "acme"];
  const token = (await place.quire(args)).stdout.trim();
  const ask = (path: string, body?: object) =>
    service.ask(path, { token, method: body === undefined ? "GET" : "POST", body });
  expect((await ask("/2.0/folders", { name: "out", parent: { id: "0" } })).status).toBe(201);
  const folder = join(place.folder, "data", "files", "tenants", "acme");
  await access(join(folder, "out"));

  const suspended = await tenant(place, "suspend", "acme", "--by", "olga");
  expect(suspended).toEqual({
    time: expect.stringMatching(/^\d{4}-/),
    by: "olga",
    action: "suspend",
    tenant: "acme",
    counts: { jobs: 0 },
  });
  expect((await ask("/2.0/folders/0")).status).toBe(403);
  const list = await place.quire(["tenant", "list", "--data", "data"]);
  expect(list.stdout).toMatch(/^"acme" {2}suspended since \S+\n$/);
  await tenant(place, "resume", "acme");
  expect((await ask("/2.0/folders/0")).status).toBe(200);
  await tenant(place, "cancel", "acme");

  await tenant(place, "quota", "acme", "files=1", "jobs=7");
  expect((await ask("/2.0/folders", { name: "more", parent: { id: "0" } })).status).toBe(403);
  await tenant(place, "quota", "acme", "files=default");
  expect((await ask("/2.0/folders", { name: "more", parent: { id: "0" } })).status).toBe(201);
  const shown = await tenant(place, "show", "acme");
  expect(shown).toMatchObject({ name: "acme", quotas: { jobs: 7 }, has: { files: 2, jobs: 0 } });

  expect((await tenant(place, "erase", "acme")).counts).toMatchObject({ files: 2, tokens: 1 });
  await expect(access(folder)).rejects.toMatchObject({ code: "ENOENT" });
  expect((await ask("/2.0/folders/0")).status).toBe(401);
  const log = await place.quire(["tenant", "log", "--data", "data"]);
  const lines = log.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ action }) => action)).toEqual([
    ...["suspend", "resume", "cancel", "quota", "quota", "erase"],
  ]);
  expect(lines[0]).toEqual(suspended);
});

test("a missing service and invalid quotas are rejected and change nothing", async () => {
  const place = await makePlace();
  const none = await place.quire(["tenant", "suspend", "acme", "--data", "nowhere"]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("There is no service")]);
  await place.quire(["token", "create", "--user", "a", "--enterprise", "b", "--data", "data"]);
  for (const quota of ["disk", "disk=-1", "disk=x"]) {
    const wrong = await place.quire(["tenant", "quota", "acme", quota, "--data", "data"]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("disk=1000000")]);
  }
  const unknown = await place.quire(["tenant", "quota", "acme", "disc=1", "--data", "data"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('"disc"')]);
});
