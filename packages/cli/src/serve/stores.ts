import { access, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isQuireError, QuireError } from "@quire/core/host";
import { type SqliteStores, sqliteStores } from "@quire/jobs-sqlite";
import { realCause } from "../files/command-files.ts";
import { systemCode, whyUnwritable } from "../files/file-problems.ts";
import type { Io } from "../terminal/io.ts";
import type { ServicePlace, SharedSettings } from "./settings.ts";

/** The stores of a service, in a data folder or a database. */
export type Stores = Pick<
  SqliteStores,
  "jobs" | "files" | "templates" | "tokens" | "webhooks" | "tenants" | "close"
>;

/** Where the stores are, and how to open them. */
export type StoreSettings = ServicePlace &
  Partial<Pick<SharedSettings, "directDatabase" | "migrate" | "allowDataLoss">> & {
    readonly maxWaiting?: number;
  };

/** The file of the stores in a data folder. */
export const DATABASE = "quire.db";

/**
 * Opens the stores of a service. Creates a missing data folder, or missing tables in the database. The caller closes
 * the stores.
 */
export async function openStores(io: Io, settings: StoreSettings): Promise<Stores> {
  const { data, database, maxWaiting } = settings;
  if (database !== undefined) return openDatabase({ ...settings, database });
  checkNoDatabase(settings);
  const folder = resolve(io.cwd, data);
  try {
    // Only the owner may read the folder.
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = systemCode(await realCause(io, data, cause));
    const why = whyUnwritable(io, data, code) ?? "the file system failed.";
    throw new QuireError(
      "storage_failed",
      `The data folder ${JSON.stringify(folder)} cannot be created: ${why} Choose it with --data.`,
      { cause },
    );
  }
  try {
    const path = join(folder, DATABASE);
    return sqliteStores({ path, ...(maxWaiting === undefined ? {} : { maxWaiting }) });
  } catch (cause) {
    throw isQuireError(cause) ? unusable(folder, cause) : cause;
  }
}

/** A service must not use a data folder because the URL of its database was forgotten or its variable misspelled. */
function checkNoDatabase(settings: StoreSettings): void {
  const { directDatabase, databaseSchema, migrate = true, allowDataLoss = false } = settings;
  if ((directDatabase ?? databaseSchema) === undefined && migrate && !allowDataLoss) return;
  throw new QuireError(
    "invalid_request",
    "There are settings for a database, but no --database (or QUIRE_DATABASE). Set its URL, or remove the other settings.",
  );
}

/**
 * Opens the stores of an existing service, for the commands of its operator. Rejects `not_found` if the data folder has
 * no database.
 */
export async function openExistingStores(io: Io, place: ServicePlace): Promise<Stores> {
  // How durable the commits of the database are is the decision of the service.
  if (place.database !== undefined) {
    return openStores(io, { ...place, migrate: false, allowDataLoss: true });
  }
  checkNoDatabase(place);
  const folder = resolve(io.cwd, place.data);
  await access(join(folder, DATABASE)).catch((cause: unknown) => {
    throw new QuireError(
      "not_found",
      `There is no service in the data folder ${JSON.stringify(folder)}. Name the data folder of quire serve with --data, or its database with QUIRE_DATABASE.`,
      { cause },
    );
  });
  return openStores(io, place);
}

/** Names the place of the stores in messages: the data folder, or the database without its user and password. */
export function placeInWords(io: Io, { data, database }: ServicePlace): string {
  return database === undefined ? resolve(io.cwd, data) : databaseInWords(database);
}

/** Names a database without its user and password. */
export function databaseInWords(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: "", pathname: "" };
  return host === "" ? "the database" : `the database ${host}${pathname}`;
}

function unusable(folder: string, { code, message, cause, retryable }: QuireError): QuireError {
  const why = message.replace(/^The job store ".*?" failed: /s, "");
  return new QuireError(
    code,
    `The data folder ${JSON.stringify(folder)} cannot be used: ${why} Or choose another folder with --data.`,
    { cause, retryable },
  );
}

/**
 * Opens the stores in a PostgreSQL database, and checks that they work. Rejects with the reason and how to fix it. The
 * caller closes the stores.
 */
async function openDatabase(
  settings: StoreSettings & { readonly database: string },
): Promise<Stores> {
  const { database: url, directDatabase: directUrl, databaseSchema: schema, ...rest } = settings;
  const { maxWaiting, migrate, allowDataLoss } = rest;
  // Loaded on demand, because most commands use the data folder.
  const { postgresStores } = await import("@quire/postgres");
  const stores = postgresStores({
    url,
    ...(directUrl === undefined ? {} : { directUrl }),
    ...(schema === undefined ? {} : { schema }),
    ...(maxWaiting === undefined ? {} : { maxWaiting }),
    ...(migrate === undefined ? {} : { migrate }),
    ...(allowDataLoss === undefined ? {} : { allowDataLoss }),
  });
  try {
    // The first statement connects, and checks the server and the tables.
    await stores.tokens.list();
    return stores;
  } catch (error) {
    await stores.close();
    throw error;
  }
}
