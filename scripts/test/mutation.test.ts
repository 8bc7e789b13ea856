import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Fault } from "../mutation/pick-faults.ts";

test("each fault of npm run mutation changes one place in the sources", () => {
  const faults: readonly Fault[] = JSON.parse(
    readFileSync(new URL("../mutation/faults.json", import.meta.url), "utf8"),
  );
  for (const { file, line } of faults) {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    expect([file, source.split(line).length - 1]).toEqual([file, 1]);
  }
});
