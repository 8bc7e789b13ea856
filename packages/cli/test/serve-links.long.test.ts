/**
 * Tests that the service fetches and reads nothing that a template names. For layers:
 * `pdf-libreoffice/test/links.long.test.ts`.
 */
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
  ["without namespaces", ["by a file's address"], true],
];

test.each(CASES)(
  "a service fetches and reads nothing that a template names, %s",
  async (_, ways, withoutNamespaces) => {
    const { leaks, made, refused, traced } = await servedLeaks({ ways, withoutNamespaces });
    expect(leaks).toEqual([]);
    // Without strace, only the access times and the listener can reveal a leak.
    expect(traced ?? []).toEqual([]);
    const tried = Object.keys(VECTORS).length;
    expect(made + refused).toBe(tried);
    expect(made).toBeGreaterThan(tried / 2);
  },
);
