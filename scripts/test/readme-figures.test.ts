/** Compares the figures in README.md with the results of the last complete benchmark. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { times } from "../../benchmarks/report/format.ts";
import type { Results } from "../../benchmarks/report/results.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const { scenarios, versions }: Results = JSON.parse(
  readFileSync(join(ROOT, "benchmarks", "results", "benchmark.json"), "utf8"),
);
const README = readFileSync(join(ROOT, "README.md"), "utf8");

test("README.md shows the ratio to the fastest other engine for each scenario", () => {
  const ratios = scenarios.map(({ lines, baseline }) => {
    const own = lines.find(({ engine }) => engine === "Quire, small");
    return `${times(own?.ratio.median ?? Number.NaN)} ${baseline}`;
  });
  expect(ratios.length).toBeGreaterThan(4);
  expect(README).toContain(`| ${ratios.join(" | ")} |`);
});

test("README.md names all other engines of the benchmark", () => {
  const others = Object.keys(versions).filter((name) => name !== "Quire");
  const listed = /fastest of five other engines \(([^)]*)\)/.exec(README)?.[1] ?? "";
  expect(listed.split(/,\s+/).sort()).toEqual(others.sort());
});
