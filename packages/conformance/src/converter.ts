import assert from "node:assert/strict";
import {
  type ConvertedDocument,
  type Converter,
  type ErrorCode,
  isQuireError,
  QuireError,
} from "@quire/contracts";
import { type Cases, registerCases } from "./register-cases.ts";

/** A fresh converter for one case of {@link converterConformance}. */
export interface ConverterFixture {
  /** The case may close it. The suite always closes it after the case. */
  readonly converter: Converter;
  /** A small, valid docx. */
  readonly document: Uint8Array;
  /** Called after the case, even if the case fails, once the converter is closed. */
  readonly destroy?: () => Promise<void> | void;
}

/** Options of {@link converterConformance}. */
export interface ConverterConformanceOptions {
  /**
   * The runner's test function: `test` of vitest, node:test or jest, `it` of mocha. Called once per case. Allow a
   * minute for each case: some convert five documents.
   */
  readonly test: (name: string, body: () => Promise<void>) => unknown;
  /** Creates a fresh converter for each case. */
  readonly fixture: () => Promise<ConverterFixture> | ConverterFixture;
  /** Cases to skip, by name, each with the reason. An unknown name throws. */
  readonly skip?: Readonly<Record<string, string>>;
}

/** Tests the contract of `Converter`, for any implementation and any runner. */
export function converterConformance(options: ConverterConformanceOptions): void {
  registerCases(CASES, options, async ({ converter, destroy }) => {
    await converter.close();
    await destroy?.();
  });
}

const encoder = new TextEncoder();

/** More documents than a converter can convert at once. */
const MANY = 32;

const HTML = "<html><body><p>A page, not a document.</p></body></html>";
const RTF = "{\\rtf1\\ansi A text, not a document.}";
const FLAT_ODF =
  '<?xml version="1.0"?><office:document xmlns:office=' +
  '"urn:oasis:names:tc:opendocument:xmlns:office:1.0" ' +
  'office:mimetype="application/vnd.oasis.opendocument.text"/>';

const CASES: Cases<ConverterFixture> = {
  "converts a document to a PDF and returns its number of pages": async ({
    converter,
    document,
  }) => {
    assertPdf(await converter.convert(document));
  },

  "converts a view of a larger buffer without changing it": async (fixture) => {
    const { converter, document } = fixture;
    const larger = new Uint8Array(document.length + 64).fill(0x20);
    larger.set(document, 32);
    const before = new Uint8Array(larger);
    assertPdf(await converter.convert(larger.subarray(32, 32 + document.length)));
    assert.deepEqual(larger, before);
  },

  "converts several documents concurrently": async ({ converter, document }) => {
    const all = await Promise.all(Array.from({ length: 5 }, () => converter.convert(document)));
    for (const converted of all) assertPdf(converted);
  },

  "rejects bytes that are not a docx, and converts the next document": async (fixture) => {
    const { converter, document } = fixture;
    for (const [kind, bytes] of Object.entries(notDocuments(document))) {
      await rejectsWith(converter.convert(bytes), "conversion_failed", kind);
    }
    assertPdf(await converter.convert(document));
  },

  "a failed conversion does not affect concurrent ones": async ({ converter, document }) => {
    const html = encoder.encode(HTML);
    const [first, failed, second] = await Promise.allSettled([
      converter.convert(document),
      converter.convert(html),
      converter.convert(document),
    ]);
    assert.equal(first.status, "fulfilled");
    assert.equal(failed.status, "rejected");
    assert.equal(second.status, "fulfilled");
  },

  "rejects for an already aborted signal without reading the document": async (fixture) => {
    const { converter, document } = fixture;
    const signal = AbortSignal.abort(new Error("enough"));
    await rejectsWith(converter.convert(document, { signal }), "aborted");
    await rejectsWith(converter.convert(encoder.encode(HTML), { signal }), "aborted", "html");
  },

  "an abort ends a running conversion, and the next ones succeed": async (fixture) => {
    const { converter, document } = fixture;
    await converter.convert(document); // the first conversion includes the start of the program
    const began = performance.now();
    await converter.convert(document);
    const usualMs = performance.now() - began;
    // Nothing else is running, so each conversion has started. If it ends before the abort, try again.
    for (let waitMs = usualMs / 3; !(await wasAborted(fixture, waitMs)); waitMs /= 2) {
      assert.ok(waitMs > 1, "It did not reject with aborted, however early the abort came.");
    }
    for (let next = 0; next < 2; next++) assertPdf(await converter.convert(document));
  },

  "an abort affects only its own conversion": async ({ converter, document }) => {
    const controller = new AbortController();
    const { signal } = controller;
    const others = [converter.convert(document), converter.convert(document)];
    const aborted = rejectsWith(converter.convert(document, { signal }), "aborted");
    controller.abort();
    await aborted;
    for (const converted of await Promise.all(others)) assertPdf(converted);
  },

  "a tenant's document does not wait for all earlier documents of another tenant": async (
    fixture,
  ) => {
    const { converter, document } = fixture;
    let done = 0;
    const many = Array.from({ length: MANY }, async (_, number) => {
      // A converter might convert equal documents only once.
      const pdf = { metadata: { title: `${number}` } };
      assertPdf(await converter.convert(document, { tenant: "many", group: "one", pdf }));
      done += 1;
    });
    assertPdf(await converter.convert(document, { tenant: "few", weight: 2 }));
    assert.ok(done < MANY, "It was converted after all others.");
    await Promise.all(many);
  },

  "close waits for the running conversion": async ({ converter, document }) => {
    let settled = false;
    const running = converter.convert(document).finally(() => {
      settled = true;
    });
    await sleep(50);
    await converter.close();
    assert.ok(settled, "close() resolved before the conversion ended.");
    assertPdf(await running);
  },

  "closing twice is not an error, even concurrently": async ({ converter, document }) => {
    await converter.convert(document);
    await Promise.all([converter.close(), converter.close()]);
    await converter.close();
  },

  "closes a converter that was never used": async ({ converter }) => {
    await converter.close();
  },

  "a conversion begins when onBegin resolves, and rejects with its error": async (fixture) => {
    const { converter, document } = fixture;
    const permitted = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let isDone = false;
    const converting = converter.convert(document, {
      onBegin: () => {
        asked.resolve();
        return permitted.promise;
      },
    });
    const done = converting.finally(() => {
      isDone = true;
    });
    await asked.promise;
    await sleep(100);
    assert.equal(isDone, false);
    permitted.resolve();
    assertPdf(await done);
    const error = new QuireError("lease_lost", "Another worker has the job.");
    const onBegin = (): Promise<void> => Promise.reject(error);
    const other = { pdf: { pages: "1" }, onBegin };
    await rejectsWith(converter.convert(document, other), "lease_lost");
    assertPdf(await converter.convert(document, { pdf: { pages: "1" } }));
  },

  "a closed converter rejects with unavailable": async ({ converter, document }) => {
    await converter.close();
    await rejectsWith(converter.convert(document), "unavailable");
  },
};

/** Returns whether an abort after `waitMs` ends a conversion; false if it completed first. */
async function wasAborted(
  { converter, document }: ConverterFixture,
  waitMs: number,
): Promise<boolean> {
  const controller = new AbortController();
  const running = Promise.allSettled([converter.convert(document, { signal: controller.signal })]);
  await sleep(waitMs);
  controller.abort(new Error("enough"));
  const [outcome] = await running;
  if (outcome.status === "fulfilled") return false;
  await rejectsWith(Promise.reject(outcome.reason), "aborted");
  return true;
}

/** Returns bytes that are not a valid docx, by name. Office programs would open some of them. */
function notDocuments(document: Uint8Array): Readonly<Record<string, Uint8Array>> {
  return {
    nothing: new Uint8Array(),
    garbage: Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919 + 13) % 251),
    html: encoder.encode(HTML),
    rtf: encoder.encode(RTF),
    "flat odf": encoder.encode(FLAT_ODF),
    text: encoder.encode("A text, not a document.\n"),
    "a truncated docx": document.subarray(0, Math.floor(document.length / 2)),
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function assertPdf(converted: ConvertedDocument): void {
  const { bytes, pages, warnings } = converted;
  assert.ok(bytes instanceof Uint8Array, "bytes is not a Uint8Array.");
  assert.equal(new TextDecoder("latin1").decode(bytes.subarray(0, 5)), "%PDF-");
  assert.ok(Number.isInteger(pages) && pages >= 1, `pages is ${pages}.`);
  assert.ok(Array.isArray(warnings), "warnings is not an array.");
}

async function rejectsWith(
  promise: Promise<unknown>,
  code: ErrorCode,
  what = "The conversion",
): Promise<void> {
  const [outcome] = await Promise.allSettled([promise]);
  assert.equal(outcome.status, "rejected", `${what} did not reject with ${code}.`);
  const reason: unknown = outcome.status === "rejected" ? outcome.reason : undefined;
  assert.ok(
    isQuireError(reason),
    `${what} rejected with an error that is not a QuireError: ${String(reason)}`,
  );
  assert.equal(reason.code, code, `${what} rejected with ${reason.code}: ${reason.message}`);
}
