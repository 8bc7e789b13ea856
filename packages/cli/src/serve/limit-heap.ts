import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * How much the heap may grow between two full garbage collections. V8's own limit depends on the machine: with much
 * memory, it is 300%, and large requests then leave hundreds of megabytes of garbage.
 */
const HEAP_GROWTH = "--heap-growing-percent=15";

/**
 * The size from which the young generation no longer grows. V8's own limit is at least 64 MB. Buffers outside of the
 * heap, such as the received chunks of uploads, are freed only when the young generation is collected.
 */
const YOUNG_BYTES = 8_000_000;

/** Keeps the heap of this process small until the process ends, for a service that handles large requests. */
export function limitHeap(): void {
  setFlagsFromString(HEAP_GROWTH);
  let isLarge = false;
  const afterCollection = (): void => {
    if (youngBytes() >= YOUNG_BYTES === isLarge) return;
    isLarge = !isLarge;
    // V8 reads the maximum size only when it starts, but it reads this factor before the young generation grows.
    setFlagsFromString(`--semi-space-growth-factor=${isLarge ? 1 : 2}`);
  };
  new PerformanceObserver(afterCollection).observe({ entryTypes: ["gc"] });
}

/** Returns the size of the young generation, in bytes. */
function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return young?.space_size ?? 0;
}
