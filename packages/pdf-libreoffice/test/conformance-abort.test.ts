/** What the suite of converters makes of one that obeys the signal only until the conversion begins. */
import { setTimeout as sleep } from "node:timers/promises";
import { abortedError, type Converter, type ConvertOptions, throwIfAborted } from "@quire/core";
import { converterConformance } from "@quire/core/conformance";
import { expect, test } from "vitest";

const CASE = "an abort ends a conversion that runs, and the next ones convert";
const START_MS = 60;
const CONVERSION_MS = 90;

test("a converter that ignores an abort while it converts does not conform", async () => {
  await expect(abortCase(slowConverter({ obeysWhileRunning: false }))).rejects.toThrow(
    /did not reject with aborted/,
  );
});

test("a converter that ends the conversion conforms", async () => {
  await abortCase(slowConverter({ obeysWhileRunning: true }));
});

/** Runs the one case of the suite. */
async function abortCase(converter: Converter): Promise<void> {
  const cases = new Map<string, () => Promise<void>>();
  converterConformance({
    test: (name, body) => cases.set(name, body),
    fixture: () => ({ converter, document: new Uint8Array(1) }),
  });
  const body = cases.get(CASE);
  if (body === undefined) throw new Error("The suite has no such case.");
  await body();
}

/** Takes a while to start, once, and then for each document. */
function slowConverter(options: { readonly obeysWhileRunning: boolean }): Converter {
  let started = false;
  const wait = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {
      if (signal !== undefined) throw abortedError(signal);
    });
  };
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
