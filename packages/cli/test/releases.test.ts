/**
 * Data that earlier releases left on disk when they were killed while working. `scripts/release-data` created it, and
 * it never changes. This release opens the data, finishes the work, and does nothing twice.
 */
import { readdirSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEngine, type Engine, type EngineEvent, renderInProcess } from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { fsStorage } from "@quire/storage-fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { RUN_FOLDER } from "../../../scripts/release-data/run.ts";
import type { ServiceState } from "../../../scripts/release-data/service.ts";
import { makeEmptyPlace } from "../../postgres/test/support/place.ts";
import { makePlace, type Place, until } from "./support/cli.ts";
import { linesOf } from "./support/docx.ts";
import { type Service, serve } from "./support/serve.ts";

const LEFT_BEHIND_MS = 300_000;
const RELEASES = fileURLToPath(new URL("releases", import.meta.url));

describe.each(readdirSync(RELEASES))("the data of release %s", (release) => {
  const data = (name: string) => join(RELEASES, release, name);

  test("of an engine: every accepted job is finished once", async () => {
    const place = await copyOf(data("engine"));
    const events: EngineEvent[] = [];
    await using engine = createEngine({
      storage: fsStorage({ root: place.path("files") }),
      jobs: sqliteJobStore({ path: place.path("quire.db") }),
      renderer: renderInProcess(),
      keepFinishedMs: null,
      onEvent: (event) => void events.push(event),
    });
    const before = await documentsIn(place.path("files", "out"));
    const batches = await statusesByBatch(engine);
    expect(batches).toEqual({
      finished: ["completed", "completed"],
      stopped: ["completed", "completed_with_error", "failed", ...Array(7).fill("completed")],
      waiting: ["completed", "completed", "completed"],
      cancelled: ["failed", "failed"],
    });
    const after = await documentsIn(place.path("files", "out"));
    expect(after).toMatchObject(before);
    const numbers = [1, 2, 4, 5, 6, 7, 8, 9, 10];
    expect(Object.keys(after).sort()).toEqual(
      [
        ...[1, 2].map((number) => `finished-${number}.docx`),
        ...numbers.map((number) => `stopped-${number}.docx`),
        ...[1, 2, 3].map((number) => `waiting-${number}.docx`),
      ].sort(),
    );
    expect(await linesOf(place.path("files", "out", "stopped-10.docx"))).toEqual(["Dear Ann 10"]);
    await until("the last event is published", () =>
      events.some(({ type, batch }) => type === "batch_finished" && batch.tenant === "two"),
    );
  });

  test("of a run: the same command finishes it, and verify finds every document", async () => {
    const place = await makePlace();
    await until("no other test run uses the folder", () => isMade(RUN_FOLDER));
    onTestFinished(() => rm(RUN_FOLDER, { recursive: true }));
    await cp(data("run"), RUN_FOLDER, { recursive: true });
    const [template, lines, out] = ["letter.docx", "data.jsonl", "out"].map((name) =>
      join(RUN_FOLDER, name),
    ) as [string, string, string];
    const before = await documentsIn(out);
    const { code, stdout, stderr } = await place.quire([
      "run",
      template,
      "--data",
      lines,
      "--to",
      "docx",
      "--out",
      out,
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^.+ \d+ of 40 entries .+$/m)]);
    expect(stdout).toMatch(/^completed +40$/m);
    const after = await documentsIn(out);
    expect(Object.keys(after)).toHaveLength(40);
    expect(after).toMatchObject(before);
    expect(await linesOf(join(out, "letter-40.docx"))).toEqual(["Dear Ann 40"]);
    const verified = await place.quire(["verify", `${out}.quire.db`]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^verified +40$/m)]);
  });

  test.each(["its data folder", "a database"])(
    "of a service: in %s, it keeps its files, tokens and webhooks, and finishes its jobs",
    async (where) => {
      const place = await copyOf(data("service"));
      const state = JSON.parse(await readFile(place.path("state.json"), "utf8")) as ServiceState;
      const { token, batches } = state;
      const service = await serve(place, {
        args: ["--keep-days", "36500", "--webhook-allow", "127.0.0.1"],
        env: {
          QUIRE_WEBHOOK_KEY: "a-key-of-the-release-data",
          ...(where === "a database" ? await movedFrom(place) : {}),
        },
      });
      await expectKnown(service, state);

      const waiting = await service.finished(batches.waiting.id, token);
      expect(waiting.counts).toMatchObject({ completed: batches.waiting.statuses.length });
      for (const [key, { id, request, statuses }] of Object.entries(batches)) {
        const again = await service.ask("/2.0/docgen_batches", {
          token,
          body: request,
          headers: { "idempotency-key": key },
        });
        expect([again.status, again.body.id]).toEqual([202, id]);
        const { body } = await service.ask(`/2.0/docgen_batch_jobs/${id}?limit=1000`, { token });
        const isOpen = (status: string) => ["submitted", "pending"].includes(status);
        expect(body.entries.map(({ status }: { status: string }) => status)).toEqual(
          statuses.map((status) => (isOpen(status) ? "completed" : status)),
        );
      }
      const names = (await service.items(state.folder, token)).map(({ name }) => name);
      const pdfs = batches.waiting.statuses.map((_, index) => `waiting-${index + 1}.pdf`);
      expect(names.sort()).toEqual(
        ["faulty-1.docx", "finished-1.docx", "finished-2.docx", ...pdfs].sort(),
      );
    },
    120_000,
  );
});

/** Moves the data folder to a database. Returns the variables for a service there. */
async function movedFrom(place: Place): Promise<Record<string, string>> {
  const database = await makeEmptyPlace();
  onTestFinished(() => database.destroy());
  const args = ["migrate", "--from", "data", "--to", database.url];
  const { code, stderr } = await place.quire(args);
  expect([code, stderr]).toEqual([0, expect.stringContaining("they are equal")]);
  return { QUIRE_DATABASE: database.url, QUIRE_STORAGE: place.path("data", "files") };
}

/** Returns the status of each job, by batch, after all jobs have ended. The keys are prefixes of document names. */
async function statusesByBatch(engine: Engine): Promise<Record<string, string[]>> {
  const statuses: Record<string, string[]> = {};
  const { items } = await engine.listBatches();
  for (const { id } of items) {
    for await (const { requestedName, entry, status } of engine.jobs(id)) {
      const name = requestedName?.split("-")[0] ?? "";
      statuses[name] ??= [];
      statuses[name][entry - 1] = status;
    }
  }
  return statuses;
}

async function expectKnown(service: Service, state: ServiceState): Promise<void> {
  const { token, readToken, file, folder, webhook } = state;
  const get = async (path: string, as = token) => {
    const { status, body } = await service.ask(path, { token: as });
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  expect(await get(`/2.0/files/${file.id}`, readToken)).toMatchObject({ name: "letter.docx" });
  const write = { token: readToken, body: { name: "new", parent: { id: "0" } } };
  expect((await service.ask("/2.0/folders", write)).status).toBe(403);
  const versions = await get(`/2.0/files/${file.id}/versions`);
  expect(versions.entries.map(({ id }: { id: string }) => id)).toEqual(file.versions);
  const templates = await get("/2.0/docgen_templates");
  expect(templates.entries).toMatchObject([{ file: { id: file.id } }]);
  const { entries } = await get("/2.0/webhooks");
  const known = await get(`/2.0/webhooks/${entries[0].id}`);
  expect(known).toMatchObject({ ...webhook, target: { id: folder, type: "folder" } });
}

/** Copies the data for one test, because opening the data changes it. */
async function copyOf(folder: string): Promise<Place> {
  const place = await makePlace();
  await cp(folder, place.folder, { recursive: true });
  return place;
}

/** Reads the documents in a folder by name, encoded as base64 for comparisons. */
async function documentsIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".docx"));
  const contents = names.map(async (name) => [name, await readFile(join(folder, name), "base64")]);
  return Object.fromEntries(await Promise.all(contents));
}

/** Creates a folder; returns false if it exists. Removes an old folder, which a killed test run has left behind. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const { mtimeMs } = await stat(folder);
    if (mtimeMs < Date.now() - LEFT_BEHIND_MS) await rm(folder, { recursive: true, force: true });
    return false;
  }
}
