export {
  type PostgresStores,
  type PostgresStoresOptions,
  postgresStores,
} from "./postgres-stores.ts";
