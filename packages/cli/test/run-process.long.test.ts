import { test } from "vitest";
import { expectHeapEnough } from "./support/letters.ts";

test(
  "a run holds a few entries at a time: 200 MB of data need no heap of 150 MB",
  () => expectHeapEnough({ entries: 200, entryBytes: 1_000_000, heapMb: 150 }),
  120_000,
);
