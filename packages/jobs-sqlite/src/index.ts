// Imported first: it reports a Node version that is too old.
import "@quire/contracts";

export { copyJobStore } from "./copy-job-store.ts";
export { type SqliteSourceOptions, sqliteSource } from "./move/sqlite-source.ts";
export { type SqliteStores, sqliteStores } from "./service/sqlite-stores.ts";
export { type SqliteJobStoreOptions, sqliteJobStore } from "./sqlite-job-store.ts";
