export { type FsStorageOptions, fsStorage } from "./fs-storage.ts";
