import { serviceStoreProblems, type TokenRecord, type TokenStore } from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { numberOrNull } from "../database/records.ts";
import type { Writer } from "../database/writer.ts";

/** Creates a token store in the file of a job store. The job store closes it. */
export function sqliteTokenStore(database: Database, writer: Writer): TokenStore {
  return new SqliteTokenStore(database, writer);
}

const SELECT = `SELECT id, hash, user, enterprise, scopes, created_at, expires_at FROM token`;

class SqliteTokenStore implements TokenStore {
  readonly #database: Database;
  readonly #writer: Writer;

  constructor(database: Database, writer: Writer) {
    this.#database = database;
    this.#writer = writer;
  }

  async add(token: TokenRecord): Promise<void> {
    const { id, hash, user, enterprise, createdAt, expiresAt } = token;
    const scopes = JSON.stringify(token.scopes);
    await this.#writer.write(() => {
      const added = this.#database.run(
        `INSERT OR IGNORE INTO token (id, hash, user, enterprise, scopes, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        id,
        hash,
        user,
        enterprise,
        scopes,
        createdAt,
        expiresAt,
      );
      if (added === 0) throw serviceStoreProblems.tokenKnown();
    });
  }

  async find(hash: string): Promise<TokenRecord | null> {
    const row = this.#database.get(`${SELECT} WHERE hash = ?`, hash);
    return row === undefined ? null : tokenRecord(row);
  }

  async list(): Promise<readonly TokenRecord[]> {
    return this.#database.all(`${SELECT} ORDER BY no DESC`).map(tokenRecord);
  }

  async eraseTenant(enterprise: string): Promise<number> {
    return this.#writer.write(() =>
      this.#database.run("DELETE FROM token WHERE enterprise = ?", enterprise),
    );
  }

  async remove(id: string): Promise<boolean> {
    return this.#writer.write(() => this.#database.run("DELETE FROM token WHERE id = ?", id) === 1);
  }
}

function tokenRecord(row: Row): TokenRecord {
  return {
    id: String(row.id),
    hash: String(row.hash),
    user: String(row.user),
    enterprise: String(row.enterprise),
    scopes: JSON.parse(String(row.scopes)),
    createdAt: Number(row.created_at),
    expiresAt: numberOrNull(row.expires_at),
  };
}
