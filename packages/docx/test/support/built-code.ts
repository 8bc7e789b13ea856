/**
 * Test programs load this module with `--import`. Imports of a package's `src` then load its `dist`, which is several
 * times faster. The configuration of vitest does the same for the tests of processes.
 */
import { register } from "node:module";

/** Node 22.13 accepts hooks only from a module. */
const HOOKS = `
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const url = found.url.replace(/\\/packages\\/([^/]+)\\/src\\/(.+)\\.ts$/, "/packages/$1/dist/$2.js");
    return url === found.url ? found : { ...found, url, format: "module" };
  }
`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
