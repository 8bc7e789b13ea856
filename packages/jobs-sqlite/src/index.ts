export { type SqliteStores, sqliteStores } from "./service/sqlite-stores.ts";
export { type SqliteJobStoreOptions, sqliteJobStore } from "./sqlite-job-store.ts";
