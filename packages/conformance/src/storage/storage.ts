import { registerCases } from "../register-cases.ts";
import { createCases } from "./create.ts";
import type { StorageFixture } from "./fixture.ts";
import { folderCases } from "./folders.ts";
import { readCases } from "./read.ts";
import { streamCases } from "./streams.ts";
import { takenCases } from "./taken.ts";
import { unresponsiveCases } from "./unresponsive.ts";

/** Options of {@link storageConformance}. */
export interface StorageConformanceOptions {
  /** The runner's test function: `test` of vitest, node:test or jest, `it` of mocha. Called once per case. */
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  /** Creates a new, empty storage for each case. */
  readonly fixture: () => Promise<StorageFixture> | StorageFixture;
  /** Cases to skip, by name, each with the reason. An unknown name throws. */
  readonly skip?: Readonly<Record<string, string>>;
}

/**
 * Tests the contract of `Storage`, for any implementation and any runner. It assumes that ids are paths with `/`
 * between the segments; for a storage with other ids, skip the cases that need such paths.
 */
export function storageConformance(options: StorageConformanceOptions): void {
  const cases = {
    ...readCases,
    ...createCases,
    ...streamCases,
    ...folderCases,
    ...takenCases,
    ...unresponsiveCases,
  };
  registerCases(cases, options, async (place) => {
    await place.destroy?.();
  });
}
