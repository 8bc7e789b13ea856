/** Compares the simulation of worker nodes with a law, and with the measured nodes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { QueueResults } from "../../benchmarks/queue/results.ts";
import { simulate } from "../../benchmarks/queue/simulate.ts";

const { waiting }: QueueResults = JSON.parse(
  readFileSync(new URL("../../benchmarks/results/queue.json", import.meta.url), "utf8"),
);

test.each([1, 3, 10, 100, 1000])(
  "%d nodes make what their slots or the server's cores allow, whichever is less",
  (nodes) => {
    for (const serverCores of [1, 4, 64]) {
      const model = { nodes, slots: 4, documentMs: 3, serverCores, serverMs: 0.17, group: 64 };
      const least = Math.min((nodes * 4 * 1000) / 3, (serverCores * 1000) / 0.17);
      const { rate } = simulate(model);
      // A node waits with its next group until the one before is recorded, so rates near the limit are a little lower.
      expect(rate / least).toBeGreaterThan(0.95);
      expect(rate / least).toBeLessThan(1.02);
    }
  },
);

test("the simulation makes the measured rates of 1, 2 and 4 nodes whose documents wait, within a tenth", () => {
  const lines = waiting?.lines.filter(({ batches }) => batches === 1) ?? [];
  expect(lines.map(({ nodes }) => nodes)).toEqual([1, 2, 4]);
  for (const { nodes, concurrency, waitMs, serverCpuMs, rate } of lines) {
    const model = { nodes, slots: concurrency, documentMs: waitMs ?? 0, serverCores: 2, group: 16 };
    const simulated = simulate({ ...model, serverMs: serverCpuMs.median });
    expect(simulated.rate / rate.median).toBeGreaterThan(0.9);
    expect(simulated.rate / rate.median).toBeLessThan(1.1);
    expect(simulated.limit).toBe("documents");
  }
});
