/** A host that renders a document which never ends, and tells the process that renders it. */
import { renderPool } from "../../src/index.ts";
import { ASKING, LETTER, poolProcesses } from "./pool.ts";

const template = renderPool({ processes: 1 }).open(LETTER);
await template.render(ASKING, {
  readFile: async () => {
    process.stdout.write(`${poolProcesses().join(" ")}\n`);
    return new Promise(() => {});
  },
});
