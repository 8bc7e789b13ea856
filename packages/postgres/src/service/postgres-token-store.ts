import { serviceStoreProblems, type TokenRecord, type TokenStore } from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { fromText, toText } from "../database/text.ts";

/** Creates a token store in a database. The creator of the database closes it. */
export function postgresTokenStore(database: Database): TokenStore {
  return new PostgresTokenStore(database);
}

const SELECT = `SELECT id, hash, "user", enterprise, scopes, created_at, expires_at FROM quire.token`;

class PostgresTokenStore implements TokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(token: TokenRecord): Promise<void> {
    const { id, hash, user, enterprise, scopes, createdAt, expiresAt } = token;
    const added = await this.#database.all(
      `INSERT INTO quire.token (id, hash, "user", enterprise, scopes, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING no`,
      [
        ...[id, hash, user, enterprise].map((text) => toText(text)),
        JSON.stringify(scopes),
        createdAt,
        expiresAt,
      ],
    );
    if (added.length === 0) throw serviceStoreProblems.tokenKnown();
  }

  async find(hash: string): Promise<TokenRecord | null> {
    const row = await this.#database.get(`${SELECT} WHERE hash = $1`, [toText(hash)]);
    return row === undefined ? null : tokenRecord(row);
  }

  async list(): Promise<readonly TokenRecord[]> {
    return (await this.#database.all(`${SELECT} ORDER BY no DESC`)).map(tokenRecord);
  }

  async eraseTenant(enterprise: string): Promise<number> {
    const erased = await this.#database.all(
      "DELETE FROM quire.token WHERE enterprise = $1 RETURNING no",
      [toText(enterprise)],
    );
    return erased.length;
  }

  async remove(id: string): Promise<boolean> {
    const removed = await this.#database.all("DELETE FROM quire.token WHERE id = $1 RETURNING no", [
      toText(id),
    ]);
    return removed.length === 1;
  }
}

function tokenRecord(row: Row): TokenRecord {
  return {
    id: fromText(row.id),
    hash: fromText(row.hash),
    user: fromText(row.user),
    enterprise: fromText(row.enterprise),
    scopes: JSON.parse(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
