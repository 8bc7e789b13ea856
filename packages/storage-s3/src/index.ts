// Imported first: it reports a Node version that is too old.
import "@quire/contracts";

export type { S3Diagnosis } from "./diagnose.ts";
export type { S3StorageOptions } from "./options.ts";
export { type S3Storage, s3Storage } from "./s3-storage.ts";
