/** Nothing that a template names is fetched or read by the service. `pdf-libreoffice/test/links.long.test.ts` has each layer. */
import { expect, test } from "vitest";
import { ALL_WAYS } from "../../pdf-libreoffice/test/bait.ts";
import { servedLeaks } from "./support/links.ts";

const CASES: readonly (readonly [what: string, withoutNamespaces: boolean])[] = [
  ["with all layers", false],
  ["where the system has no namespaces", true],
];

test.each(CASES)("nothing is fetched or read by a service, %s", async (_, withoutNamespaces) => {
  const { leaks, made, refused, traced } = await servedLeaks({ ways: ALL_WAYS, withoutNamespaces });
  expect(leaks).toEqual([]);
  // Only a machine with strace has more than the access times and the listener.
  expect(traced ?? []).toEqual([]);
  expect(made).toBeGreaterThan(400);
  expect(made + refused).toBeGreaterThan(600);
});
