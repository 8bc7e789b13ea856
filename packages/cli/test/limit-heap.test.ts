import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Allocates many objects that survive several rounds of the event loop. Prints the size of the young generation. */
const PROGRAM = `
  const [module] = process.argv.slice(1);
  if (module !== "none") (await import(module)).limitHeap();
  const { getHeapSpaceStatistics } = await import("node:v8");
  let kept = [];
  for (let round = 0; round < 400; round++) {
    for (let count = 0; count < 10_000; count++) kept.push({ count, list: [count] });
    if (kept.length > 200_000) kept = [];
    await new Promise((resolve) => setImmediate(resolve));
  }
  console.log(getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size);
`;

async function youngBytes(module: string): Promise<number> {
  const args = ["--input-type=module", "--eval", PROGRAM, module];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}

test("limitHeap keeps the young generation of a busy process small", async () => {
  const module = join(import.meta.dirname, "..", "dist", "serve", "limit-heap.js");
  const [limited, usual] = await Promise.all([youngBytes(module), youngBytes("none")]);
  expect(limited).toBeGreaterThan(0);
  expect(limited).toBeLessThanOrEqual(40_000_000);
  expect(limited).toBeLessThan(usual);
});
