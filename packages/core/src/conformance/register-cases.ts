import assert from "node:assert/strict";

/** What every suite takes, whatever its fixture is. */
export interface SuiteOptions<Fixture> {
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  readonly fixture: () => Promise<Fixture> | Fixture;
  readonly skip?: Readonly<Record<string, string>>;
}

/** The cases of a suite by their names; a body throws when the contract is broken. */
export type Cases<Fixture> = Readonly<Record<string, (fixture: Fixture) => Promise<void>>>;

/**
 * Registers each case that is not skipped with the runner. A case gets a fixture of its own, which
 * `release` takes back whatever the outcome.
 */
export function registerCases<Fixture>(
  cases: Cases<Fixture>,
  options: SuiteOptions<Fixture>,
  release: (fixture: Fixture) => Promise<void>,
): void {
  const skipped = options.skip ?? {};
  for (const [name, reason] of Object.entries(skipped)) {
    assert.ok(name in cases, `skip names no case of the suite: ${JSON.stringify(name)}.`);
    assert.ok(reason !== "", `skip gives no reason for the case ${JSON.stringify(name)}.`);
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
