import pg from "pg";
import { connectionConfig, SESSION_SETTINGS } from "../../src/database/connection.ts";
import { Database, type Row } from "../../src/database/database.ts";
import { SCHEMA_STEPS } from "../../src/schema/migrations.ts";

/** A statement that reads more rows of a large table than this does not use the right index. */
const FEW = 500;

/** Logs the plan of each statement, also within functions, with the number of rows that each step has read. */
const EXPLAIN = `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
  SET auto_explain.log_nested_statements = on; SET auto_explain.log_level = notice;
  SET auto_explain.log_format = json; SET auto_explain.log_timing = off;`;

interface Step {
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Step[];
}

interface Plan {
  readonly "Query Text": string;
  readonly Plan: Step;
}

/** A database with one connection, which collects the plans of its statements. */
export class ExplainingDatabase extends Database {
  readonly #plans: Plan[] = [];
  readonly #client: pg.Client;

  private constructor(url: string, client: pg.Client) {
    const place = { url, directUrl: url, schema: "quire" };
    super(place, { connections: 1, steps: SCHEMA_STEPS, migrate: false, allowDataLoss: false });
    this.#client = client;
    client.on("notice", ({ message }) => {
      const json = message?.split("plan:\n")[1];
      if (json !== undefined) this.#plans.push(JSON.parse(json));
    });
  }

  static async connect(url: string): Promise<ExplainingDatabase> {
    const client = new pg.Client(connectionConfig(url));
    await client.connect();
    await client.query(`${SESSION_SETTINGS}; ${EXPLAIN}`);
    return new ExplainingDatabase(url, client);
  }

  /** How many plans were collected since the last {@link forget}. */
  get count(): number {
    return this.#plans.length;
  }

  /** Forgets the plans. */
  forget(): void {
    this.#plans.length = 0;
  }

  /** Returns the statements that read too many rows of a table. */
  largeReads(): { readonly query: string; readonly reads: readonly string[] }[] {
    const all = this.#plans.map((plan) => ({ query: plan["Query Text"], reads: scans(plan.Plan) }));
    return all.filter(({ reads }) => reads.length > 0);
  }

  override async close(): Promise<void> {
    await this.#client.end();
    await super.close();
  }

  override async all(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query(sql, [...values])).rows;
  }
}

/** Returns the tables of which a plan reads too many rows. */
function scans(step: Step): string[] {
  const each = (step["Actual Rows"] ?? 0) + (step["Rows Removed by Filter"] ?? 0);
  const read = each * (step["Actual Loops"] ?? 0);
  const below = (step.Plans ?? []).flatMap(scans);
  const table = step["Relation Name"];
  return table !== undefined && read > FEW ? [`${table}: ${read} rows`, ...below] : below;
}
