import { registerCases, type SuiteOptions } from "./register-cases.ts";

/** A new, empty file catalog or store (of templates, tokens, webhooks or tenants) for one case of its suite. */
export interface ServiceStoreFixture<Store> {
  /** The handle under test, to a store without records. */
  readonly store: Store;
  /**
   * Opens another handle to the same store, as another process would. If absent (a store in memory has only one
   * handle), the cases about two handles use `store` twice.
   */
  readonly open?: () => Promise<Store> | Store;
  /** Closes `store`. Absent if the store does not have to be closed. */
  readonly close?: () => Promise<void> | void;
  /** Called after the case, even if the case fails. Must close all handles. */
  readonly destroy?: () => Promise<void> | void;
}

/** Options of the suites for file catalogs and for stores of templates, tokens, webhooks and tenants. */
export interface ServiceStoreConformanceOptions<Fixture> {
  /** The runner's test function: `test` of vitest, node:test or jest, `it` of mocha. Called once per case. */
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  /** Creates a new, empty store for each case. */
  readonly fixture: () => Promise<Fixture> | Fixture;
  /** Cases to skip, by name, each with the reason. An unknown name throws. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** The environment of a case. */
export interface ServicePlace<Store, Fixture = ServiceStoreFixture<Store>> {
  readonly store: Store;
  /** Another handle to the same store, or the same handle if there is only one. */
  readonly other: Store;
  readonly fixture: Fixture;
}

/** The cases of one of these suites by name. A body throws if the contract is broken. */
export type ServiceCases<Store, Fixture = ServiceStoreFixture<Store>> = Readonly<
  Record<string, (place: ServicePlace<Store, Fixture>) => Promise<void>>
>;

/** Registers the cases, each with a separate store. */
export function registerServiceCases<Store, Fixture extends ServiceStoreFixture<Store>>(
  cases: ServiceCases<Store, Fixture>,
  options: ServiceStoreConformanceOptions<Fixture>,
): void {
  const suite: SuiteOptions<ServicePlace<Store, Fixture>> = {
    ...options,
    fixture: async () => {
      const fixture = await options.fixture();
      const { store } = fixture;
      return { store, other: (await fixture.open?.()) ?? store, fixture };
    },
  };
  registerCases(cases, suite, async ({ fixture }) => {
    await fixture.destroy?.();
  });
}

/** Strings that are not markers of any listing. */
export const BAD_MARKERS = [
  "no marker",
  "-1",
  "7",
  "",
  "\0",
  "../x",
  "📄",
  "[]",
  "W10",
  "bnVsbA",
] as const;

/** Invalid limits of a listing. */
export const BAD_LIMITS = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY] as const;

/** Reads all items of a listing, page by page. */
export async function pages<T>(
  limit: number,
  list: (marker: string | undefined) => Promise<{
    readonly items: readonly T[];
    readonly nextMarker: string | null;
  }>,
): Promise<T[]> {
  const all: T[] = [];
  let marker: string | undefined;
  for (;;) {
    const { items, nextMarker } = await list(marker);
    if (items.length > limit) throw new Error("A page should not be longer than its limit.");
    if (items.length < limit && nextMarker !== null)
      throw new Error("A page before another page should be full.");
    all.push(...items);
    if (nextMarker === null) return all;
    if (all.length > 10_000) throw new Error("The pages should end.");
    marker = nextMarker;
  }
}
