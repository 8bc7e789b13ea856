import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Data } from "../scenarios/scenario.ts";
import { BRACES } from "../word/syntax.ts";
import type { Engine } from "./engine.ts";

/** The part of Carbone's API that this file uses. The package has no types. */
interface Carbone {
  render(template: string, data: Data, done: (error: unknown, document: Uint8Array) => void): void;
}

/** Carbone's Community Edition. It accepts a template only as a file, and reads the file for each document. */
export const carbone: Engine = {
  name: "carbone",
  title: "Carbone CE",
  syntax: BRACES,
  // Pictures and HTML are features of the Enterprise Edition.
  can: new Set(),
  load: async () => {
    const library: Carbone = createRequire(import.meta.url)("carbone");
    const render = promisify(library.render);
    return {
      adapt: (data) => data,
      open: async (_, file) => (data) => render(file, data),
    };
  },
};
