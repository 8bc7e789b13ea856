// First, since it tells an older Node what is needed.
import "@quire/core/host";

export type { S3StorageOptions } from "./options.ts";
export { s3Storage } from "./s3-storage.ts";
