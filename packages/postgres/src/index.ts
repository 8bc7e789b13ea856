export {
  type DiagnosePostgresOptions,
  diagnosePostgres,
  type PostgresFinding,
} from "./diagnose-postgres.ts";
export {
  type MigratedPostgres,
  type MigratePostgresOptions,
  migratePostgres,
} from "./migrate-postgres.ts";
export type { ComparedTable } from "./move/compare-table.ts";
export {
  type MovedToPostgres,
  type MoveProgress,
  type MoveToPostgresOptions,
  moveToPostgres,
} from "./move/move-to-postgres.ts";
export {
  type PostgresStores,
  type PostgresStoresOptions,
  postgresStores,
} from "./postgres-stores.ts";
