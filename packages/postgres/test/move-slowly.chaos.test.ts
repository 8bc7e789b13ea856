import { sqliteSource } from "@quire/jobs-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { migratePostgres, moveToPostgres } from "../src/index.ts";
import { makeDataFolder } from "./support/data-folder.ts";
import { makeEmptyPlace } from "./support/place.ts";

test("a statement of a move may take longer than one of a service", async () => {
  const folder = await makeDataFolder();
  onTestFinished(() => folder.remove());
  const place = await makeEmptyPlace();
  onTestFinished(() => place.destroy());
  await migratePostgres({ url: place.url });
  // A service gives up after 60 seconds.
  await place.query(`CREATE FUNCTION public.wait() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(70); RETURN NULL; END';
    CREATE TRIGGER wait AFTER INSERT ON quire.folder FOR EACH STATEMENT EXECUTE FUNCTION public.wait()`);
  const source = sqliteSource({ path: await folder.copy() });
  const { moved } = await moveToPostgres(source, { url: place.url });
  source.close();
  expect(moved).toBe(true);
}, 150_000);
