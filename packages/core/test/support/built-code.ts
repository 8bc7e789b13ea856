/**
 * To be loaded with `--import` by programs of tests: an import of a package's `src` loads its `dist`, which takes a
 * process a small part of the time. The configuration of vitest does the same for the tests of processes.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = found.url.replace(/\/packages\/([^/]+)\/src\/(.+)\.ts$/, "/packages/$1/dist/$2.js");
    return url === found.url ? found : { ...found, url, format: "module" };
  },
});
