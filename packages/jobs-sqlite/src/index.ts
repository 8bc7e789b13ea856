// First, since it tells an older Node what is needed.
import "@quire/core/host";

export { type SqliteStores, sqliteStores } from "./service/sqlite-stores.ts";
export { type SqliteJobStoreOptions, sqliteJobStore } from "./sqlite-job-store.ts";
