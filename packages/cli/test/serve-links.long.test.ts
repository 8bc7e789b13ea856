/** Nothing that a template names is fetched or read by the service. `pdf-libreoffice/test/links.long.test.ts` has each layer. */
import { expect, test } from "vitest";
import type { Way } from "../../pdf-libreoffice/test/bait.ts";
import { VECTORS } from "../../pdf-libreoffice/test/vectors.ts";
import { servedLeaks } from "./support/links.ts";

const CASES: readonly (readonly [
  what: string,
  ways: readonly Way[],
  withoutNamespaces: boolean,
])[] = [
  ["with all layers", ["over the network", "by a file's address"], false],
  ["where the system has no namespaces", ["by a file's address"], true],
];

test.each(CASES)(
  "nothing is fetched or read by a service, %s",
  async (_, ways, withoutNamespaces) => {
    const { leaks, made, refused, traced } = await servedLeaks({ ways, withoutNamespaces });
    expect(leaks).toEqual([]);
    // Only a machine with strace has more than the access times and the listener.
    expect(traced ?? []).toEqual([]);
    const tried = ways.length * Object.keys(VECTORS).length;
    expect(made + refused).toBe(tried);
    expect(made).toBeGreaterThan(tried / 2);
  },
);
