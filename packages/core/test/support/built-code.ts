/**
 * To be loaded with `--import` by programs of tests: an import of a package's `src` loads its `dist`, which takes a
 * process a small part of the time. The configuration of vitest does the same for the tests of processes.
 */
import { register } from "node:module";

/** Node 22.13 takes hooks from a module only. */
const HOOKS = `
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const url = found.url.replace(/\\/packages\\/([^/]+)\\/src\\/(.+)\\.ts$/, "/packages/$1/dist/$2.js");
    return url === found.url ? found : { ...found, url, format: "module" };
  }
`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
