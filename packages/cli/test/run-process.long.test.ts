import { test } from "vitest";
import { expectHeapEnough } from "./support/letters.ts";

test(
  "a run keeps few entries in memory: 200 MB of data need less than 150 MB of heap",
  () => expectHeapEnough({ entries: 200, entryBytes: 1_000_000, heapMb: 150 }),
  120_000,
);
