import assert from "node:assert/strict";

/** The options of every suite. */
export interface SuiteOptions<Fixture> {
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  readonly fixture: () => Promise<Fixture> | Fixture;
  readonly skip?: Readonly<Record<string, string>>;
}

/** The cases of a suite by name. A body throws if the contract is broken. */
export type Cases<Fixture> = Readonly<Record<string, (fixture: Fixture) => Promise<void>>>;

/**
 * Registers each case with the runner unless it is skipped. Each case gets a separate fixture, which is released after
 * the case, even if the case fails.
 */
export function registerCases<Fixture>(
  cases: Cases<Fixture>,
  options: SuiteOptions<Fixture>,
  release: (fixture: Fixture) => Promise<void>,
): void {
  const skipped = options.skip ?? {};
  for (const [name, reason] of Object.entries(skipped)) {
    assert.ok(name in cases, `skip names an unknown case: ${JSON.stringify(name)}.`);
    assert.ok(reason !== "", `skip has no reason for the case ${JSON.stringify(name)}.`);
  }
  for (const [name, body] of Object.entries(cases)) {
    if (name in skipped) continue;
    options.test(name, async () => {
      const fixture = await options.fixture();
      try {
        await body(fixture);
      } finally {
        await release(fixture);
      }
    });
  }
}
