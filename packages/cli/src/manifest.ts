import { readFileSync } from "node:fs";

/** Returns the version and the description in this package's package.json. */
export function manifest(): { readonly version: string; readonly description: string } {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
}
