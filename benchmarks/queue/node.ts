/**
 * A worker node of the benchmark, as a separate process: an engine on the job store of `NodeOptions`, which waits for
 * each document instead of rendering it. Reports its first document, and each document whose data ask for it.
 */
import { setTimeout as wait } from "node:timers/promises";
import { createEngine, memoryStorage, type Renderer } from "@quire/core";
import { postgresStores } from "@quire/postgres";

/** The options of a node. */
export interface NodeOptions {
  readonly url: string;
  readonly schema: string;
  readonly concurrency: number;
  /** How long a document takes, in milliseconds. */
  readonly waitMs: number | null;
}

/** What a node reports. `name` is null for its first document. `at`: milliseconds since 1970. */
export interface NodeReport {
  readonly name: string | null;
  readonly at: number;
}

const { url, schema, concurrency, waitMs } = JSON.parse(process.argv[2] ?? "") as NodeOptions;
const bytes = new TextEncoder().encode("a document");
let isFirst = true;

const renderer: Renderer = {
  open: () => ({
    render: async (data) => {
      const { report = null } = JSON.parse(Buffer.from(data as Uint8Array).toString());
      if (report !== null || isFirst) process.send?.({ name: report, at: Date.now() });
      isFirst = false;
      await wait(waitMs ?? 0);
      return { bytes, warnings: [] };
    },
    check: () => Promise.reject(new Error("not used")),
    inspect: () => Promise.reject(new Error("not used")),
  }),
  close: async () => {},
};

createEngine({
  storage: memoryStorage({ folders: ["out"] }),
  jobs: postgresStores({ url, schema }).jobs,
  renderer,
  concurrency,
});
