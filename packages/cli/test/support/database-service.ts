/** Services and workers over one PostgreSQL database and one storage folder. */
import { expect, onTestFinished } from "vitest";
import { type Place as Database, makeEmptyPlace } from "../../../postgres/test/support/place.ts";
import { makePlace, type Place } from "./cli.ts";
import {
  type ServeOptions,
  type ServiceProcess,
  serveProcess,
  type WorkerProcess,
  workProcess,
} from "./serve.ts";

/** The password in the URL of the database. It must not appear anywhere. */
export const PASSWORD = "a-password-of-the-tests";

/** One database, one storage folder, and the processes of a service. */
export interface DatabaseService {
  readonly place: Place;
  readonly database: Database;
  /** The variables that every process gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a `quire serve --no-pdf`. */
  node(options?: ServeOptions): Promise<ServiceProcess>;
  /** Starts a `quire work`. */
  worker(...args: string[]): Promise<WorkerProcess>;
}

export async function makeDatabaseService(
  given: { readonly url: string } | null = null,
): Promise<DatabaseService> {
  const place = await makePlace();
  const database = await makeEmptyPlace();
  onTestFinished(() => database.destroy());
  const url = Object.assign(new URL(given?.url ?? database.url), { password: PASSWORD }).href;
  const env = { QUIRE_DATABASE: url, QUIRE_STORAGE: "files" };
  return {
    place,
    database,
    env,
    node: ({ args = [], ...options } = {}) =>
      serveProcess(place, { args: ["--no-pdf", "--rate", "0", ...args], ...options, env }),
    worker: (...args) => workProcess(place, { args, env }),
  };
}

/** Returns the value of a metric, summed over its labels. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name} (\\S+)$`, "gm"))];
  expect(values.length).toBeGreaterThan(0);
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}
