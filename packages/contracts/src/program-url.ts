import { existsSync } from "node:fs";
import { QuireError } from "./errors.ts";

/**
 * Returns the file of a program that a package starts in a process or thread. `path` is relative to the module and has
 * no extension, because the program has the extension of the module (`.ts` in the sources, `.js` in dist). `moduleUrl`
 * is the `import.meta.url` of the module, which is undefined in a CommonJS bundle. Throws `unavailable` if the file is
 * missing, as in a bundle.
 */
export function programUrl(path: string, moduleUrl: string | undefined): URL {
  const extension = moduleUrl?.slice(moduleUrl.lastIndexOf("."));
  const url = moduleUrl === undefined ? null : new URL(`${path}${extension}`, moduleUrl);
  if (url !== null && existsSync(url)) return url;
  throw new QuireError(
    "unavailable",
    `Quire starts its program ${path} as a separate process or thread, but its file is missing. If your code is ` +
      "bundled, mark all @quire/* packages as external in your bundler and install them next to the bundle. If it is " +
      "not bundled, install the packages again.",
  );
}
