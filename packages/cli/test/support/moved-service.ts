/** A service that moves from its data folder to a database. */
import { expect, onTestFinished } from "vitest";
import { makeEmptyPlace } from "../../../postgres/test/support/place.ts";
import type { Place } from "./cli.ts";
import { PASSWORD } from "./database-service.ts";
import { docx, linesOfBytes } from "./docx.ts";
import { batchOf, letters, type Service, serve, serveProcess, TOKEN } from "./serve.ts";

/** Returns the URL of a new database, with a password. */
export async function newDatabase(): Promise<string> {
  const database = await makeEmptyPlace();
  onTestFinished(() => database.destroy());
  return Object.assign(new URL(database.url), { password: PASSWORD }).href;
}

/**
 * Serves from a data folder, moves it, and serves from the database. `moveFiles` returns the place where the files are
 * then.
 */
export async function moveService(place: Place, moveFiles: () => Promise<string>): Promise<void> {
  const url = await newDatabase();
  const args = ["--no-pdf", "--rate", "0"];
  const first = await serve(place, { args });
  const file = await first.upload("letter.docx", docx(["Dear {{name}}"]));
  const folder = await first.folder("out");
  const headers = { "idempotency-key": "one" };
  const one = batchOf(file, folder, letters(3));
  const { body: done } = await first.ask("/2.0/docgen_batches", { body: one, headers });
  await first.finished(done.id);
  await first.stop();
  const second = await serveProcess(place, { args: [...args, "--no-work"] });
  const two = batchOf(file, folder, letters(2, 4));
  const { body: waiting } = await second.ask("/2.0/docgen_batches", { body: two });
  const listed = await second.items(folder);
  const migrate = ["migrate", "--from", "data", "--to", url];

  const busy = await place.quire(migrate);
  expect([busy.code, busy.stderr]).toEqual([
    1,
    expect.stringMatching(`is in use by the process ${second.process.pid}\\. Stop every service`),
  ]);
  await second.stop();

  const moved = await place.quire(migrate);
  expect([moved.code, moved.stdout]).toEqual([0, ""]);
  expect(moved.stderr).toMatch(
    /^Moved \d\d+ rows from .*data to the database 127\.0\.0\.1.*they are equal\.$/m,
  );
  const again = await place.quire([...migrate, "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ type: "summary", moved: false, rows: 0 });
  for (const command of [
    ["serve", "--port", "0"],
    ["work", "--only", "docx"],
    ["token", "list"],
  ]) {
    const refused = await place.quire([...command, "--data", "data"]);
    expect([command, refused.code, refused.stderr]).toEqual([
      command,
      1,
      expect.stringMatching(/was moved to the database .* remove the file ".*quire\.db-moved"/),
    ]);
  }
  expect(busy.stderr + moved.stderr + again.stderr).not.toContain(PASSWORD);

  const env = { QUIRE_DATABASE: url, QUIRE_STORAGE: await moveFiles() };
  const third = await serveProcess(place, { args, env });
  expect((await third.finished(waiting.id)).counts.completed).toBe(2);
  const repeated = await third.ask("/2.0/docgen_batches", { body: one, headers });
  expect([repeated.status, repeated.body.id]).toEqual([202, done.id]);
  const items = await third.items(folder);
  expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(listed.map(({ id }) => id)));
  expect(items.map(({ name }) => name)).toEqual(
    letters(5).map((entry) => `${entry.generated_file_name}.docx`),
  );
  expect(await linesAt(third, file)).toEqual(["Dear {{name}}"]);
  expect(await linesAt(third, items[0]?.id ?? "")).toEqual(["Dear Ann 1"]);
  expect(await linesAt(third, items[4]?.id ?? "")).toEqual(["Dear Ann 5"]);
}

async function linesAt({ url }: Service, id: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/2.0/files/${id}/content`, { headers });
  expect([id, answer.status]).toEqual([id, 200]);
  return linesOfBytes(new Uint8Array(await answer.arrayBuffer()));
}
