import { registerCases } from "./register-cases.ts";
import { createCases } from "./storage-create.ts";
import type { StorageFixture } from "./storage-fixture.ts";
import { folderCases } from "./storage-folders.ts";
import { readCases } from "./storage-read.ts";
import { streamCases } from "./storage-streams.ts";

/** What {@link storageConformance} needs. */
export interface StorageConformanceOptions {
  /** The runner's own: `test` of vitest, node:test or jest, `it` of mocha. Called once per case. */
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  /** Makes a fresh place for each case. */
  readonly fixture: () => Promise<StorageFixture> | StorageFixture;
  /** Names of cases that are not registered, each with the reason. An unknown name throws. */
  readonly skip?: Readonly<Record<string, string>>;
}

/**
 * The contract of `Storage` as tests, for any implementation and any runner. It takes ids to be
 * paths with `/` between the segments; a storage with other ids skips those cases by name.
 */
export function storageConformance(options: StorageConformanceOptions): void {
  const cases = { ...readCases, ...createCases, ...streamCases, ...folderCases };
  registerCases(cases, options, async (place) => {
    await place.destroy?.();
  });
}
