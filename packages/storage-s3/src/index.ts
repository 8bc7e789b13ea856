export type { S3StorageOptions } from "./options.ts";
export { s3Storage } from "./s3-storage.ts";
