import { Batcher } from "../database/batcher.ts";
import type { Database, Row } from "../database/database.ts";
import { toText } from "../database/text.ts";

type UseColumn = "files" | "file_bytes" | "webhooks" | "deliveries";

/** What tenants use. It is asked for each document, so concurrent questions about tenants share a statement. */
export class ServiceUse<Column extends UseColumn> {
  readonly #columns: readonly Column[];
  readonly #database: Database;
  readonly #uses: Batcher<string, Readonly<Record<Column, number>>>;

  constructor(database: Database, columns: readonly Column[]) {
    this.#database = database;
    this.#columns = columns;
    this.#uses = new Batcher((tenants) => this.#read(tenants));
  }

  /** Returns the values of a tenant; without `tenant`, the maximum of each over all tenants. */
  of(tenant: string | undefined): Promise<Readonly<Record<Column, number>>> {
    return tenant === undefined ? this.#highest() : this.#uses.add(toText(tenant));
  }

  async #read(tenants: readonly string[]): Promise<Readonly<Record<Column, number>>[]> {
    const rows = await this.#database.all(
      `SELECT tenant, ${this.#sums()} FROM quire.service_use WHERE tenant = ANY($1::text[]) GROUP BY tenant`,
      [[...new Set(tenants)]],
    );
    const byTenant = new Map(rows.map((row) => [row.tenant, row]));
    return tenants.map((tenant) => this.#valuesIn(byTenant.get(tenant)));
  }

  async #highest(): Promise<Readonly<Record<Column, number>>> {
    const highest = this.#columns.map((name) => `max(${name}) AS ${name}`);
    const row = await this.#database.get(
      `SELECT ${highest.join(", ")}
       FROM (SELECT ${this.#sums()} FROM quire.service_use GROUP BY tenant) AS each`,
    );
    return this.#valuesIn(row);
  }

  #sums(): string {
    return this.#columns.map((name) => `coalesce(sum(${name}), 0)::bigint AS ${name}`).join(", ");
  }

  #valuesIn(row: Row | undefined): Readonly<Record<Column, number>> {
    const values = this.#columns.map((name) => [name, Number(row?.[name] ?? 0)]);
    return Object.fromEntries(values);
  }
}
