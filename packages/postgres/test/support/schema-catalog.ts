/** The tables and functions of a schema as the nodes of a release use them, and the changes that these nodes reject. */
import type { Place } from "./place.ts";

/** A schema, by the names of its objects. */
export interface SchemaCatalog {
  /** For each table and composite type: its columns, as `type`, `type not null` or `type not null default`. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** For each table: its unique indexes, and its other constraints. */
  readonly constraints: Readonly<Record<string, readonly string[]>>;
  /** For each function: its arguments and its result. A name with several functions has several of them. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
  readonly sequences: readonly string[];
}

const RELATIONS = `SELECT oid, relname FROM pg_class
  WHERE relnamespace = 'quire'::regnamespace AND relkind IN ('r', 'p', 'c') AND NOT relispartition`;
const COLUMNS = `SELECT relname AS name, attname AS key,
    format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' not null' ELSE '' END
      || CASE WHEN atthasdef OR attidentity <> '' THEN ' default' ELSE '' END AS value
  FROM (${RELATIONS}) AS r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped`;
const CONSTRAINTS = `SELECT relname AS name, pg_get_indexdef(indexrelid) AS value
    FROM (${RELATIONS}) AS r JOIN pg_index ON indrelid = r.oid AND indisunique
  UNION ALL SELECT relname, conname || ' ' || pg_get_constraintdef(c.oid)
    FROM (${RELATIONS}) AS r JOIN pg_constraint AS c ON conrelid = r.oid AND contype NOT IN ('p', 'u', 'n')`;
const FUNCTIONS = `SELECT proname AS name, '(' || pg_get_function_identity_arguments(oid) || ') '
    || pg_get_function_result(oid) AS value FROM pg_proc WHERE pronamespace = 'quire'::regnamespace`;
const SEQUENCES = "SELECT sequencename AS value FROM pg_sequences WHERE schemaname = 'quire'";

/** Reads the schema of a database. */
export async function readCatalog({ query }: Place): Promise<SchemaCatalog> {
  const sorted = async (sql: string) => (await query(`${sql} ORDER BY 1, 2`)).rows;
  const columns: Record<string, Record<string, string>> = {};
  for (const { name, key, value } of await sorted(COLUMNS)) {
    columns[name] = { ...columns[name], [key]: value };
  }
  const { rows } = await query(`${SEQUENCES} ORDER BY 1`);
  return {
    columns,
    constraints: grouped(await sorted(CONSTRAINTS)),
    functions: grouped(await sorted(FUNCTIONS)),
    sequences: rows.map(({ value }) => value),
  };
}

function grouped(
  rows: readonly { readonly name: string; readonly value: string }[],
): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const { name, value } of rows) groups[name] = [...(groups[name] ?? []), value];
  return groups;
}

/**
 * Returns the changes between two schemas that break nodes of the older release. Nodes tolerate new tables, new columns that may be left out, new functions with new names, and new indexes
 * that are not unique.
 */
export function intolerable(old: SchemaCatalog, now: SchemaCatalog): string[] {
  const found: string[] = [];
  for (const [table, columns] of Object.entries(old.columns)) {
    const current = now.columns[table] ?? {};
    for (const [name, type] of Object.entries(columns)) {
      if (current[name] !== type) found.push(`${table}.${name} was ${type}: ${current[name]}`);
    }
    for (const [name, type] of Object.entries(current)) {
      if (!(name in columns) && type.endsWith(" not null"))
        found.push(`${table}.${name} is needed`);
    }
  }
  for (const table of Object.keys(old.columns)) {
    found.push(...changes(table, old.constraints[table], now.constraints[table]));
  }
  for (const [name, signatures] of Object.entries(old.functions)) {
    found.push(...changes(name, signatures, now.functions[name]));
  }
  found.push(
    ...changes("sequences", old.sequences, now.sequences).filter((each) => !/\+/.test(each)),
  );
  return found;
}

function changes(of: string, before: readonly string[] = [], after: readonly string[] = []) {
  const removed = before.filter((one) => !after.includes(one)).map((one) => `${of} - ${one}`);
  return [
    ...removed,
    ...after.filter((one) => !before.includes(one)).map((one) => `${of} + ${one}`),
  ];
}
