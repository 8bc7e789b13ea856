// Imported first: it reports a Node version that is too old.
import "@quire/core/host";

export { type FsStorageOptions, fsStorage } from "./fs-storage.ts";
