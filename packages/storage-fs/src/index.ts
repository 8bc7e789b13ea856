// Imported first: it reports a Node version that is too old.
import "@quire/contracts";

export { type FsStorageOptions, fsStorage } from "./fs-storage.ts";
export { removeLeftovers } from "./temporary-files.ts";
