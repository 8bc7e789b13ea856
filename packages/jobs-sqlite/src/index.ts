export { type SqliteJobStoreOptions, sqliteJobStore } from "./sqlite-job-store.ts";
