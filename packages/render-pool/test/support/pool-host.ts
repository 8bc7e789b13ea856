/** A host with a document whose rendering never ends. It prints the id of the process that renders the document. */
import { renderPool } from "../../dist/index.js";
import { ASKING, LETTER, poolProcesses } from "./pool-program.ts";

const template = renderPool({ processes: 1 }).open(LETTER);
await template.render(ASKING, {
  readFile: async () => {
    process.stdout.write(`${poolProcesses().join(" ")}\n`);
    return new Promise(() => {});
  },
});
