import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import {
  type PostgresStores,
  type PostgresStoresOptions,
  postgresStores,
} from "../../src/index.ts";

let server: Promise<string> | undefined;
let template: Promise<string> | undefined;

/** Returns the URL of the server that all test files share. */
export function sharedServer(): Promise<string> {
  server ??= (async () => {
    const answer = await fetch(inject("postgresDesk"));
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  })();
  return server;
}

/** A new database with empty tables. */
export interface Place {
  readonly url: string;
  /** Opens stores over the database. `destroy` closes them. */
  readonly open: (options?: Partial<PostgresStoresOptions>) => PostgresStores;
  readonly query: (sql: string, values?: unknown[]) => Promise<pg.QueryResult>;
  readonly destroy: () => Promise<void>;
}

/** Copies a database with the tables: that is faster than to create them. */
export async function makePlace(): Promise<Place> {
  template ??= makeTemplate();
  return placeOf(await createDatabase(await template));
}

/** A new database without tables. */
export async function makeEmptyPlace(): Promise<Place> {
  return placeOf(await createDatabase("template0"));
}

function placeOf(url: string): Place {
  const opened: PostgresStores[] = [];
  return {
    url,
    open: (options) => {
      const stores = postgresStores({ url, connections: 4, ...options });
      opened.push(stores);
      return stores;
    },
    query: (sql, values) => withClient(url, (client) => client.query(sql, values)),
    destroy: async () => {
      for (const stores of opened) await stores.close();
      await admin(`DROP DATABASE ${databaseOf(url)} WITH (FORCE)`);
    },
  };
}

async function makeTemplate(): Promise<string> {
  const url = await createDatabase("template0");
  const stores = postgresStores({ url });
  await stores.tokens.list();
  await stores.close();
  return databaseOf(url);
}

async function createDatabase(from: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await admin(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  return Object.assign(new URL(await sharedServer()), { pathname: `/${name}` }).href;
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function admin(sql: string): Promise<void> {
  await withClient(await sharedServer(), (client) => client.query(sql));
}

async function withClient<T>(url: string, body: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end();
  }
}
