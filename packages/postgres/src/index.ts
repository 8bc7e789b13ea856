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
export {
  type PostgresStores,
  type PostgresStoresOptions,
  postgresStores,
} from "./postgres-stores.ts";
