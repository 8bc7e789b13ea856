import type { Finding } from "./check-bucket.ts";

/** A database to check. */
export interface DatabaseToCheck {
  readonly database: string;
  readonly directDatabase?: string | undefined;
  readonly databaseSchema?: string | undefined;
}

/** Checks whether a service can use a database. */
export async function checkDatabase(options: DatabaseToCheck): Promise<readonly Finding[]> {
  const { database: url, directDatabase: directUrl, databaseSchema: schema } = options;
  // Loaded on demand, because most machines have no database.
  const { diagnosePostgres } = await import("@quire/postgres");
  return diagnosePostgres({
    url,
    ...(directUrl === undefined ? {} : { directUrl }),
    ...(schema === undefined ? {} : { schema }),
  });
}
