/** Tests how the conformance suite judges a converter that obeys the signal only until the conversion starts. */

import { converterConformance } from "@quire/conformance";
import {
  abortedError,
  type Converter,
  type ConvertOptions,
  throwIfAborted,
} from "@quire/contracts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const CASE = "an abort ends a running conversion, and the next ones succeed";
const START_MS = 60;
const CONVERSION_MS = 90;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

test("a converter that ignores an abort while it converts does not conform", async () => {
  await expect(abortCase(slowConverter({ obeysWhileRunning: false }))).rejects.toThrow(
    /did not reject with aborted/,
  );
});

test("a converter that ends the conversion conforms", async () => {
  await abortCase(slowConverter({ obeysWhileRunning: true }));
});

/** Runs the case about aborts from the suite, with a clock that the test moves. */
async function abortCase(converter: Converter): Promise<void> {
  const cases = new Map<string, () => Promise<void>>();
  converterConformance({
    test: (name, body) => cases.set(name, body),
    fixture: () => ({ converter, document: new Uint8Array(1) }),
  });
  const body = cases.get(CASE);
  if (body === undefined) throw new Error("The suite has no such case.");
  const [outcome] = await Promise.all([Promise.allSettled([body()]), vi.runAllTimersAsync()]);
  if (outcome[0].status === "rejected") throw outcome[0].reason;
}

/** Creates a converter that takes some time for its first start, and then for each document. */
function slowConverter(options: { readonly obeysWhileRunning: boolean }): Converter {
  let started = false;
  return {
    async convert(_document, { signal }: ConvertOptions = {}) {
      throwIfAborted(signal);
      if (!started) await wait(START_MS, signal);
      started = true;
      await wait(CONVERSION_MS, options.obeysWhileRunning ? signal : undefined);
      return {
        bytes: new TextEncoder().encode("%PDF-1.7"),
        pages: 1,
        warnings: [],
        fingerprint: { program: "none", fonts: null, options: "" },
      };
    },
    async close() {},
  };
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => reject(abortedError(signal)));
  });
}
