// First, since it tells an older Node what is needed.
import "@quire/core/host";

export { type FsStorageOptions, fsStorage } from "./fs-storage.ts";
